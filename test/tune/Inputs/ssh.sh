# SPDX-License-Identifier: MIT
# ssh.sh FOLDER: prepares ssh to hosts worker0 and worker1, which are this one: keys and a server's
# configuration in FOLDER/ssh. The server is started by the client for each connection and talks
# through its pipe: there is no port, and no daemon to end.
set -e
cd "$1"
mkdir -p ssh
chmod 700 ssh
[ "$(id -u)" != 0 ] || mkdir -p -m 755 /run/sshd # the server looks for it
folder=$PWD/ssh
ssh-keygen -q -t ed25519 -N '' -f ssh/host
ssh-keygen -q -t ed25519 -N '' -f ssh/key
cat >ssh/server <<END
HostKey $folder/host
AuthorizedKeysFile $folder/key.pub
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
SetEnv PATH=$PATH ASAN_OPTIONS=$ASAN_OPTIONS LSAN_OPTIONS=$LSAN_OPTIONS
END
cat >ssh/client <<END
Host worker*
  ProxyCommand /usr/sbin/sshd -i -e -f $folder/server 2>>$folder/log
  IdentityFile $folder/key
  IdentitiesOnly yes
  User $(id -un)
  UserKnownHostsFile $folder/known
  GlobalKnownHostsFile none
  StrictHostKeyChecking no
  LogLevel ERROR
END

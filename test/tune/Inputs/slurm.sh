# SPDX-License-Identifier: MIT
# slurm.sh FOLDER COMMAND...: runs a command in FOLDER under a Slurm of its own: controller and one
# node as processes of this user, in FOLDER/slurm, on ports that were free, without munge, cgroups
# or systemd. Ends them after it.
set -eu
cd "$1"
shift
mkdir -p slurm/state slurm/spool
folder=$PWD/slurm host=$(hostname -s) user=$(id -un) name=node$$
export SLURM_CONF=$folder/slurm.conf
controller= node=

# SIGTERM may come before a daemon listens to it.
finish() {
  for process in $controller $node; do
    kill -9 "$process" 2>/dev/null || true
    wait "$process" 2>/dev/null || true
  done
  controller= node=
}
trap finish EXIT

write_configuration() { # PORT
  cat >"$SLURM_CONF" <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$1
SlurmdPort=$(($1 + 1))
AuthType=auth/none
CredType=cred/none
SlurmUser=$user
SlurmdUser=$user
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldTimeout=3600
SlurmdTimeout=3600
InactiveLimit=0
MessageTimeout=100
BatchStartTimeout=1000
KillWait=1000
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
NodeName=$name NodeHostname=$host NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
}

is_idle() { # not the node of another Slurm that has the port
  [ "$(timeout 30 sinfo -h -o '%N %T' 2>/dev/null)" = "$name idle" ]
}

are_alive() {
  kill -0 "$controller" 2>/dev/null && kill -0 "$node" 2>/dev/null
}

# A port that somebody else has ends a daemon: then other ones are tried.
start() { # PORT
  rm -rf slurm/state/* slurm/spool/*
  write_configuration "$1"
  slurmctld -D -c >slurm/controller.log 2>&1 &
  controller=$!
  slurmd -D -N "$name" >slurm/node.log 2>&1 &
  node=$!
  tries=0
  while are_alive && [ $tries -lt 3000 ]; do
    is_idle && return 0
    tries=$((tries + 1))
    sleep 0.1
  done
  finish
  return 1
}

attempt=0
until start $((20000 + ($$ * 2 + attempt * 1002) % 40000)); do
  attempt=$((attempt + 1))
  [ $attempt -lt 20 ] || { cat slurm/controller.log slurm/node.log >&2; exit 1; }
done
code=0
"$@" || code=$?
[ $code = 0 ] || tail -n 50 slurm/*.log shards-*.log >&2
exit $code

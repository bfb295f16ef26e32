/* SPDX-License-Identifier: MIT */
/* See database.h. Opening, errors and transactions; database_rows.c has the rows. */
#include "tune/database.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>
#include "base/arena.h"
#include "cache/cache.h"
#include "cache/disk_files.h"
#include "tune/database_handle.h"

/* "tile" in the header of the file, and the format of the tables. */
enum { APPLICATION = 0x74696c65, FORMAT = 1 };

int tune_patience = 30000;

#define KEY_TABLE                                                                                  \
  "kernel TEXT NOT NULL, content TEXT NOT NULL, arguments TEXT NOT NULL, device TEXT NOT NULL, "   \
  "capability TEXT NOT NULL, driver TEXT NOT NULL, toolkit TEXT NOT NULL, candidate TEXT NOT "     \
  "NULL, "
#define KEY_LIST "kernel, content, arguments, device, capability, driver, toolkit"

/* Times are whole nanoseconds: what is written as text and read again is the same. */
static const char schema[] =
    "CREATE TABLE winners (" KEY_TABLE "nanoseconds INTEGER NOT NULL, space TEXT NOT NULL, "
    "changed INTEGER NOT NULL, PRIMARY KEY (" KEY_LIST ")) STRICT, WITHOUT ROWID;"
    "CREATE TABLE measurements (" KEY_TABLE "outcome TEXT NOT NULL "
    "CHECK (outcome IN ('ok', 'dropped', 'failed', 'wrong', 'timeout')), message TEXT NOT NULL, "
    "nanoseconds INTEGER NOT NULL, low INTEGER NOT NULL, high INTEGER NOT NULL, "
    "rounds INTEGER NOT NULL, place INTEGER NOT NULL, changed INTEGER NOT NULL, "
    "PRIMARY KEY (" KEY_LIST ", candidate)) STRICT, WITHOUT ROWID;"
    "PRAGMA application_id = 1953066085;"
    "PRAGMA user_version = 1;";
_Static_assert(APPLICATION == 1953066085, "the schema says the same");

/* --- Errors ----------------------------------------------------------------------------------- */

#define WAY_OUT "name another one in TILE_TUNE_DATABASE"

static tile_status locked(const struct tune_database *database) {
  return FAIL(TILE_IO_ERROR,
              "the tuning database '%s' has been locked by another program for %g s: end that "
              "program, or " WAY_OUT,
              database->path, database->patience / 1000.0);
}

static tile_status damaged(const struct tune_database *database) {
  return FAIL(
      TILE_BAD_IMAGE,
      "the tuning database '%s' is damaged: %s; nothing was changed. Move it away, and save "
      "what is left of it with `sqlite3 FILE .recover`",
      database->path, sqlite3_errmsg(database->sqlite));
}

static tile_status refused(const struct tune_database *database, const char *doing) {
  int error = sqlite3_system_errno(database->sqlite);
  return FAIL(TILE_IO_ERROR, "cannot %s the tuning database '%s': %s; " WAY_OUT, doing,
              database->path, error ? strerror(error) : sqlite3_errmsg(database->sqlite));
}

tile_status tune_error(struct tune_database *database, int code, const char *doing) {
  database->code = code & 0xFF;
  switch (database->code) {
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
  case SQLITE_PROTOCOL:
    return locked(database);
  case SQLITE_CORRUPT:
    return damaged(database);
  case SQLITE_NOTADB:
    return FAIL(TILE_BAD_IMAGE, "'%s' is no SQLite database, and was left as it is; " WAY_OUT,
                database->path);
  case SQLITE_FULL:
    return FAIL(TILE_IO_ERROR,
                "the disk of the tuning database '%s' is full: what was there is kept, what is new "
                "is not; make room, or " WAY_OUT,
                database->path);
  case SQLITE_READONLY:
    return FAIL(TILE_IO_ERROR, "the tuning database '%s' is read-only (%s); " WAY_OUT,
                database->path, sqlite3_errmsg(database->sqlite));
  case SQLITE_CANTOPEN:
  case SQLITE_IOERR:
  case SQLITE_PERM:
  case SQLITE_AUTH:
    return refused(database, doing);
  case SQLITE_NOMEM:
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for the tuning database");
  default:
    return FAIL(TILE_INTERNAL, "cannot %s the tuning database '%s': %s", doing, database->path,
                sqlite3_errmsg(database->sqlite));
  }
}

/* --- Locks ------------------------------------------------------------------------------------ */

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void tune_start(struct tune_database *database) {
  database->deadline = now() + database->patience / 1000.0;
}

/* SQLite asks it at most locks; where it does not, the caller does. */
static int wait_for_others(void *data, int times) {
  struct tune_database *database = data;
  if (now() >= database->deadline)
    return 0;
  long milliseconds = times < 4 ? 1 << times : 20;
  nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL);
  return 1;
}

/* A lock of another's, also as SQLite says it when others come and go too fast. */
static bool is_busy(int code) {
  return (code & 0xFF) == SQLITE_BUSY || (code & 0xFF) == SQLITE_PROTOCOL;
}

int tune_step(struct tune_database *database, sqlite3_stmt *statement) {
  for (int times = 0;; times++) {
    int code = sqlite3_step(statement);
    if (!is_busy(code) || !wait_for_others(database, times))
      return code;
    sqlite3_reset(statement);
  }
}

/* --- Statements ------------------------------------------------------------------------------- */

tile_status tune_finish(struct tune_database *database, sqlite3_stmt *statement) {
  int code = tune_step(database, statement);
  tile_status status = code == SQLITE_DONE ? NULL : tune_error(database, code, "write");
  sqlite3_reset(statement);
  return status;
}

/* One statement, whatever it returns. */
static int run_one(struct tune_database *database, const char *sql, const char **rest) {
  sqlite3_stmt *statement = NULL;
  int code = SQLITE_BUSY; /* preparing reads the tables' description */
  for (int times = 0; is_busy(code); times++) {
    code = sqlite3_prepare_v2(database->sqlite, sql, -1, &statement, rest);
    if (is_busy(code) && !wait_for_others(database, times))
      break;
  }
  if (code != SQLITE_OK || !statement)
    return code;
  do
    code = tune_step(database, statement);
  while (code == SQLITE_ROW);
  sqlite3_finalize(statement);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int run_all(struct tune_database *database, const char *sql) {
  int code = SQLITE_OK;
  while (code == SQLITE_OK && *sql)
    code = run_one(database, sql, &sql);
  return code;
}

tile_status tune_execute(struct tune_database *database, const char *sql, const char *doing) {
  int code = run_all(database, sql);
  return code == SQLITE_OK ? NULL : tune_error(database, code, doing);
}

tile_status tune_transaction(struct tune_database *database, tune_body *body, void *data) {
  TRY(tune_execute(database, "BEGIN IMMEDIATE", "write"));
  tile_status status = body(database, data);
  if (!status)
    status = tune_execute(database, "COMMIT", "write");
  if (status && !sqlite3_get_autocommit(database->sqlite))
    (void)run_all(database, "ROLLBACK");
  return status;
}

/* --- What kind of file ------------------------------------------------------------------------ */

struct identity {
  int application, format, tables;
};

static tile_status read_number(struct tune_database *database, const char *sql, int *out) {
  sqlite3_stmt *statement = NULL;
  int code = SQLITE_BUSY;
  for (int times = 0; is_busy(code); times++) {
    code = sqlite3_prepare_v2(database->sqlite, sql, -1, &statement, NULL);
    if (code == SQLITE_OK)
      code = tune_step(database, statement);
    if (code == SQLITE_ROW)
      *out = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    if (is_busy(code) && !wait_for_others(database, times))
      break;
  }
  return code == SQLITE_ROW ? NULL : tune_error(database, code, "read");
}

static tile_status read_identity(struct tune_database *database, struct identity *out) {
  TRY(read_number(database, "SELECT count(*) FROM sqlite_schema", &out->tables));
  TRY(read_number(database, "PRAGMA application_id", &out->application));
  return read_number(database, "PRAGMA user_version", &out->format);
}

static bool is_fresh(const struct identity *identity) {
  return !identity->application && !identity->format && !identity->tables;
}

static tile_status check_identity(const struct tune_database *database,
                                  const struct identity *identity) {
  if (identity->application != APPLICATION)
    return FAIL(TILE_UNSUPPORTED,
                "'%s' is a SQLite database of another program, and was left as it is; " WAY_OUT,
                database->path);
  if (identity->format != FORMAT)
    return FAIL(TILE_UNSUPPORTED,
                "the tuning database '%s' has format %d, and this toolkit reads format %d: write "
                "it as text "
                "with `tile-tune export` of the toolkit that made it and read that with `tile-tune "
                "import`, "
                "or " WAY_OUT,
                database->path, identity->format, FORMAT);
  return NULL;
}

/* Two may find a fresh file: the second one finds the tables of the first. */
static tile_status create_tables(struct tune_database *database, void *data) {
  struct identity *identity = data;
  TRY(read_identity(database, identity));
  if (!is_fresh(identity))
    return NULL;
  TRY(tune_execute(database, schema, "write"));
  *identity = (struct identity){.application = APPLICATION, .format = FORMAT};
  return NULL;
}

static tile_status identify(struct tune_database *database, enum tune_mode mode) {
  struct identity identity = {0};
  TRY(tune_execute(database, "BEGIN", "read")); /* all three at one time */
  tile_status status = read_identity(database, &identity);
  (void)run_all(database, "ROLLBACK");
  TRY(status);
  if (is_fresh(&identity) && mode == TUNE_READ)
    return FAIL(TILE_NOT_FOUND, "the tuning database '%s' is an empty file", database->path);
  if (is_fresh(&identity))
    TRY(tune_transaction(database, create_tables, &identity));
  return check_identity(database, &identity);
}

/* --- The journal ------------------------------------------------------------------------------ */

/* Types of file systems (statfs) after which other machines may be. */
static bool is_remote(const char *path) {
  static const unsigned long types[] = {0x6969 /* NFS */,        0xFF534D42 /* CIFS */,
                                        0xFE534D42 /* SMB2 */,   0x517B /* SMB */,
                                        0x0BD00BD0 /* Lustre */, 0x47504653 /* GPFS */,
                                        0x19830326 /* BeeGFS */, 0x00C36400 /* Ceph */,
                                        0x5346414F /* AFS */,    0x01021997 /* 9P */,
                                        0x65735546 /* FUSE */,   0x01161970 /* GFS2 */,
                                        0x7461636F /* OCFS2 */,  0x73757245 /* Coda */};
  struct statfs info;
  if (statfs(path, &info) != 0)
    return false;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if ((unsigned long)info.f_type == types[i] ||
        ((unsigned long)info.f_type & 0xFFFFFFFF) == types[i])
      return true;
  return false;
}

bool (*tune_file_is_remote)(const char *path) = is_remote;

static bool is_in_memory(const struct tune_database *database) {
  return strcmp(database->path, ":memory:") == 0;
}

/* A mode that cannot be had is no error: the file stays in the one it is in, which is as safe. */
static tile_status choose_journal(struct tune_database *database) {
  if (is_in_memory(database))
    return NULL;
  if (tune_file_is_remote(database->path))
    return tune_execute(database, "PRAGMA journal_mode = DELETE", "write");
  int code = run_all(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  if (code == SQLITE_OK || is_busy(code))
    return NULL;
  return tune_error(database, code, "write");
}

/* --- Opening ---------------------------------------------------------------------------------- */

tile_status tune_database_default_path(struct text *out) {
  const char *named = getenv("TILE_TUNE_DATABASE");
  if (named && *named) {
    text_puts(out, named);
    return NULL;
  }
  if (!cache_default_folder(out))
    return FAIL(TILE_NOT_FOUND,
                "no place for a tuning database: set TILE_TUNE_DATABASE to a file's "
                "name, or HOME");
  text_puts(out, "/tune.sqlite3");
  return NULL;
}

static tile_status make_folder(const struct tune_database *database) {
  const char *slash = strrchr(database->path, '/');
  if (!slash || slash == database->path)
    return NULL;
  struct text folder = {0};
  text_append(&folder, database->path, (size_t)(slash - database->path));
  int made = disk_make_folders(text_string(&folder));
  tile_status status =
      made == 0
          ? NULL
          : FAIL(TILE_IO_ERROR, "cannot make the folder '%s' of the tuning database: %s; " WAY_OUT,
                 text_string(&folder), strerror(errno));
  text_free(&folder);
  return status;
}

/* What SQLite would say less clearly. */
static tile_status check_file(const struct tune_database *database, enum tune_mode mode) {
  struct stat info;
  if (is_in_memory(database))
    return NULL;
  if (!database->path[0])
    return FAIL(TILE_INVALID_ARGUMENT, "the tuning database's name is empty");
  if (stat(database->path, &info) == 0)
    return S_ISREG(info.st_mode)
               ? NULL
               : FAIL(TILE_BAD_IMAGE, "the tuning database '%s' is not a file; " WAY_OUT,
                      database->path);
  if (mode == TUNE_WRITE && errno == ENOENT)
    return make_folder(database);
  if (errno == ENOENT || errno == ENOTDIR)
    return FAIL(TILE_NOT_FOUND, "there is no tuning database '%s'; `tile-run --tune` makes one",
                database->path);
  return FAIL(TILE_IO_ERROR, "cannot open the tuning database '%s': %s; " WAY_OUT, database->path,
              strerror(errno));
}

static void close_sqlite(struct tune_database *database) {
  for (int i = 0; i < STATEMENT_COUNT; i++)
    sqlite3_finalize(database->statements[i]);
  sqlite3_close(database->sqlite);
  memset(database->statements, 0, sizeof database->statements);
  database->sqlite = NULL;
}

static tile_status open_sqlite(struct tune_database *database, const char *name, int flags) {
  int code = sqlite3_open_v2(name, &database->sqlite,
                             flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
  if (code != SQLITE_OK)
    return tune_error(database, code, "open");
  sqlite3_busy_handler(database->sqlite, wait_for_others, database);
  sqlite3_db_config(database->sqlite, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config(database->sqlite, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  return NULL;
}

static tile_status open_to_write(struct tune_database *database) {
  TRY(open_sqlite(database, database->path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE));
  if (sqlite3_db_readonly(database->sqlite, "main") == 1)
    return FAIL(TILE_IO_ERROR, "the tuning database '%s' is read-only; " WAY_OUT, database->path);
  TRY(identify(database, TUNE_WRITE));
  return choose_journal(database);
}

/* On a disk where nothing can be written, SQLite must be told that nobody else writes either. */
static tile_status open_immutable(struct tune_database *database) {
  struct text name = {0};
  text_puts(&name, "file:");
  for (const char *c = database->path; *c; c++)
    text_printf(&name, strchr("?#%", *c) ? "%%%02X" : "%c", (unsigned char)*c);
  text_puts(&name, "?immutable=1");
  close_sqlite(database);
  tile_status status =
      open_sqlite(database, text_string(&name), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  text_free(&name);
  return status ? status : identify(database, TUNE_READ);
}

/* Whether rows may be outside the file itself, where only those see them who can share memory. */
static bool has_log(const struct tune_database *database) {
  struct text name = {0};
  struct stat info;
  text_printf(&name, "%s-wal", database->path);
  bool has = stat(text_string(&name), &info) == 0 && info.st_size > 0;
  text_free(&name);
  return has;
}

/* As a writer where that is allowed, since readers of a file in write-ahead mode share its memory.
 */
static tile_status open_to_read(struct tune_database *database) {
  tile_status status = open_sqlite(database, database->path, SQLITE_OPEN_READWRITE);
  if (!status)
    status = identify(database, TUNE_READ);
  if (!status)
    return tune_execute(database, "PRAGMA query_only = 1", "read");
  if ((database->code != SQLITE_CANTOPEN && database->code != SQLITE_READONLY) || has_log(database))
    return status;
  tile_status_free(status);
  return open_immutable(database);
}

static tile_status open_path(struct tune_database *database, enum tune_mode mode) {
  TRY(check_file(database, mode));
  return mode == TUNE_WRITE ? open_to_write(database) : open_to_read(database);
}

tile_status tune_database_open(const char *path, enum tune_mode mode, struct tune_database **out) {
  struct text name = {0};
  if (path)
    text_puts(&name, path);
  else
    TRY(tune_database_default_path(&name));
  struct tune_database *database = tile_allocate(sizeof *database);
  *database = (struct tune_database){.path = text_take(&name), .patience = tune_patience};
  tune_start(database);
  tile_status status = open_path(database, mode);
  if (status)
    tune_database_close(database);
  else
    *out = database;
  return status;
}

void tune_database_close(struct tune_database *database) {
  if (!database)
    return;
  close_sqlite(database);
  text_free(&database->candidate);
  text_free(&database->space);
  free(database->path);
  free(database);
}

const char *tune_database_path(const struct tune_database *database) {
  return database->path;
}

void tune_database_set_patience(struct tune_database *database, int milliseconds) {
  database->patience = milliseconds;
}

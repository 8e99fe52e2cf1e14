-- The tables of a fleet in Trino, by the Hive connector. Put the address of the dataset, such as s3://BUCKET/FOLDER, in the
-- place of FLEET, and run this in a schema of the catalog. Besides a metastore and a file system the catalog needs
--     hive.recursive-directories=true
--     hive.timestamp-precision=MICROSECONDS

-- The log.
CREATE TABLE IF NOT EXISTS log (
    "add" array(row(name varchar)),
    remove array(varchar)
)
WITH (external_location = 'FLEET/log', format = 'JSON');

-- The parts that are there: those that came and did not go.
CREATE OR REPLACE VIEW live AS
SELECT DISTINCT came.name
FROM log CROSS JOIN UNNEST("add") AS came (name)
WHERE came.name NOT IN (SELECT went.name FROM log CROSS JOIN UNNEST(remove) AS went (name));

CREATE TABLE IF NOT EXISTS weighings_files (
    id varchar,
    service varchar,
    version varchar,
    host varchar,
    captured_at timestamp(6),
    day date,
    runtime varchar,
    runtime_version varchar,
    allocator varchar,
    format varchar,
    held bigint,
    content bigint,
    runtime_bytes bigint,
    dead bigint,
    dead_sure bigint,
    objects bigint,
    external bigint,
    external_dead bigint,
    external_dead_sure bigint,
    rss bigint,
    rss_peak bigint,
    heap_used bigint,
    heap_total bigint,
    heap_peak bigint,
    made bigint,
    made_needlessly bigint,
    operations bigint,
    findings bigint,
    options bigint,
    not_measured bigint,
    dump_bytes bigint,
    word_bytes bigint,
    partial boolean,
    estimated boolean,
    mostly_unseen boolean
)
WITH (external_location = 'FLEET/weighings', format = 'PARQUET');

CREATE OR REPLACE VIEW weighings AS
SELECT id, service, version, host, captured_at, day, runtime, runtime_version, allocator, format, held, content,
    runtime_bytes, dead, dead_sure, objects, external, external_dead, external_dead_sure, rss, rss_peak, heap_used,
    heap_total, heap_peak, made, made_needlessly, operations, findings, options, not_measured, dump_bytes, word_bytes,
    partial, estimated, mostly_unseen
FROM weighings_files
WHERE regexp_extract("$path", '^.*/weighings/(.*)[.]parquet$', 1) IN (SELECT name FROM live);

CREATE TABLE IF NOT EXISTS findings_files (
    id varchar,
    service varchar,
    version varchar,
    host varchar,
    captured_at timestamp(6),
    day date,
    of varchar,
    rank bigint,
    rule varchar,
    fingerprint varchar,
    holder varchar,
    type varchar,
    site varchar,
    file varchar,
    basis varchar,
    confidence varchar,
    assumes varchar,
    title varchar,
    fix varchar,
    line bigint,
    objects bigint,
    unaffected bigint,
    bytes_now bigint,
    bytes_after bigint,
    saves bigint,
    saves_alone bigint,
    sure boolean
)
WITH (external_location = 'FLEET/findings', format = 'PARQUET');

CREATE OR REPLACE VIEW findings AS
SELECT id, service, version, host, captured_at, day, of, rank, rule, fingerprint, holder, type, site, file, basis,
    confidence, assumes, title, fix, line, objects, unaffected, bytes_now, bytes_after, saves, saves_alone, sure
FROM findings_files
WHERE regexp_extract("$path", '^.*/findings/(.*)[.]parquet$', 1) IN (SELECT name FROM live);

CREATE TABLE IF NOT EXISTS holdings_files (
    id varchar,
    service varchar,
    version varchar,
    host varchar,
    captured_at timestamp(6),
    day date,
    type varchar,
    runtime boolean,
    places bigint,
    objects bigint,
    bytes bigint,
    external bigint
)
WITH (external_location = 'FLEET/holdings', format = 'PARQUET');

CREATE OR REPLACE VIEW holdings AS
SELECT id, service, version, host, captured_at, day, type, runtime, places, objects, bytes, external
FROM holdings_files
WHERE regexp_extract("$path", '^.*/holdings/(.*)[.]parquet$', 1) IN (SELECT name FROM live);

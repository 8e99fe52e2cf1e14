-- The tables of a fleet in ClickHouse, and in chdb, which is ClickHouse within a process. Put the folder of the dataset in
-- the place of FLEET. The folders are named as Hive names them, but the columns are in the files.
SET use_hive_partitioning = 0;

-- The parts that are there: those that came and did not go.
CREATE OR REPLACE VIEW live AS
SELECT DISTINCT arrayJoin(add).name AS name
FROM file('FLEET/log/*.json', 'JSONEachRow', 'add Array(Tuple(name String)), remove Array(String)')
WHERE name NOT IN (
    SELECT arrayJoin(remove) FROM file('FLEET/log/*.json', 'JSONEachRow', 'add Array(Tuple(name String)), remove Array(String)')
);

CREATE OR REPLACE VIEW weighings AS
SELECT * FROM file('FLEET/weighings/**/*.parquet', 'Parquet')
WHERE replaceRegexpOne(_path, '^.*/weighings/(.*)[.]parquet$', '\\1') IN (SELECT name FROM live);

CREATE OR REPLACE VIEW findings AS
SELECT * FROM file('FLEET/findings/**/*.parquet', 'Parquet')
WHERE replaceRegexpOne(_path, '^.*/findings/(.*)[.]parquet$', '\\1') IN (SELECT name FROM live);

CREATE OR REPLACE VIEW holdings AS
SELECT * FROM file('FLEET/holdings/**/*.parquet', 'Parquet')
WHERE replaceRegexpOne(_path, '^.*/holdings/(.*)[.]parquet$', '\\1') IN (SELECT name FROM live);

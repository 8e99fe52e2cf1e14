-- The tables of a fleet in DuckDB. Put the folder of the dataset in the place of FLEET.

-- The parts that are there: those that came and did not go.
CREATE OR REPLACE VIEW live AS
WITH log AS (
    SELECT "add", remove
    FROM read_json('FLEET/log/*.json', columns = {"add": 'STRUCT(name VARCHAR)[]', remove: 'VARCHAR[]'})
)
SELECT DISTINCT came.name
FROM (SELECT unnest("add").name AS name FROM log) AS came
LEFT JOIN (SELECT unnest(remove) AS name FROM log) AS went ON came.name = went.name
WHERE went.name IS NULL;

CREATE OR REPLACE VIEW weighings AS
SELECT * EXCLUDE (filename)
FROM read_parquet('FLEET/weighings/**/*.parquet', filename = true, hive_partitioning = false)
WHERE filename IN (SELECT 'FLEET/weighings/' || name || '.parquet' FROM live);

CREATE OR REPLACE VIEW findings AS
SELECT * EXCLUDE (filename)
FROM read_parquet('FLEET/findings/**/*.parquet', filename = true, hive_partitioning = false)
WHERE filename IN (SELECT 'FLEET/findings/' || name || '.parquet' FROM live);

CREATE OR REPLACE VIEW holdings AS
SELECT * EXCLUDE (filename)
FROM read_parquet('FLEET/holdings/**/*.parquet', filename = true, hive_partitioning = false)
WHERE filename IN (SELECT 'FLEET/holdings/' || name || '.parquet' FROM live);

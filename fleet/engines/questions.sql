-- Questions that every engine answers alike.

-- The dead weight of each service, by the latest weighing of each host.
SELECT service, count(*) AS hosts, sum(held + external) AS bytes, sum(dead + external_dead) AS dead
FROM (
    SELECT *, row_number() OVER (PARTITION BY service, host ORDER BY captured_at DESC, id DESC) AS place
    FROM weighings
) AS latest
WHERE place = 1
GROUP BY service
ORDER BY dead DESC, service;

-- The findings that cost most over all weighings.
SELECT fingerprint, rule, min(holder) AS holder, count(*) AS weighings, sum(saves) AS saves
FROM findings
WHERE of <> 'made'
GROUP BY fingerprint, rule
ORDER BY saves DESC, fingerprint
LIMIT 20;

-- The dead weight of a host by day.
SELECT CAST(day AS VARCHAR) AS day, count(*) AS weighings, avg(dead + external_dead) AS dead
FROM weighings
GROUP BY day
ORDER BY day;

-- What stands in the heaps, by type.
SELECT type, count(*) AS weighings, sum(objects) AS objects, sum(bytes) AS bytes, sum(external) AS external
FROM holdings
GROUP BY type
ORDER BY bytes DESC, type
LIMIT 20;

-- Since which version a service has a finding.
SELECT f.service, f.fingerprint, min(f.captured_at) AS since, count(DISTINCT f.host) AS hosts, max(w.held) AS held
FROM findings AS f
JOIN weighings AS w ON f.id = w.id
WHERE f.sure
GROUP BY f.service, f.fingerprint
ORDER BY f.service, f.fingerprint;

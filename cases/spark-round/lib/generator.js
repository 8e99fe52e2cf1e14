// What a round of retrieval checks looks like: many measurements over few
// participants, providers, networks and versions, and a limited list of CIDs.

import { CAR_SIZE_LIMIT_BYTES } from './result.js'
import { Random } from './random.js'

const HEX = '0123456789abcdef'
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
const BASE36 = 'abcdefghijklmnopqrstuvwxyz0123456789'
const BASE64_URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const BASE62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

// What the records of a shape look like.
const LOOKS = {
  own: {
    firstId: 41_250_000,
    startedAt: Date.UTC(2024, 4, 13, 9),
    sparkVersions: ['1.9.4', '1.10.0', '1.10.2', '1.11.1'],
    zinniaVersions: ['0.18.5', '0.19.0', '0.19.1'],
    cid: random => 'bafybei' + random.text(BASE32, 52),
    // A station obtains one signed statement of its build and sends it each time; old ones have none.
    attestation: random => (random.chance(900) ? createSignedToken(random) : null),
    inetGroup: random => random.text(BASE36, 12)
  },
  published: {
    firstId: 280_847_321,
    startedAt: Date.UTC(2023, 11, 6, 9),
    sparkVersions: ['1.5.2', '1.6.0'],
    zinniaVersions: ['0.14.0', '0.15.0'],
    cid: random => 'Qm' + random.text(BASE58, 44),
    // None of the stations sent one yet.
    attestation: () => null,
    inetGroup: random => random.text(BASE62, 12)
  }
}

const CIDS = 4000
const PARTICIPANTS = 600
const INET_GROUPS = 900
const PROVIDERS = 150

const ROUND_LENGTH_MS = 60 * 60 * 1000

const OUTDATED_SPARK_VERSION = '0.9.9'
const HTTP_ERRORS = [404, 404, 404, 429, 500, 502, 502, 503, 504]

/** Yields `count` measurements of a shape, ordered by the time they were finished. */
export function* generateMeasurements(count, shape = 'own', seed = 0x5eed) {
  const look = LOOKS[shape]
  const random = new Random(seed)
  const population = createPopulation(random, look)
  for (let i = 0; i < count; i++) {
    // Evenly spaced, so that no two measurements finish in the same millisecond
    // as long as there are fewer of them than milliseconds in the round.
    const finishedAt = look.startedAt + Math.floor((i * ROUND_LENGTH_MS) / count)
    const measurement = createMeasurement(random, population, look, look.firstId + i, finishedAt)
    if (random.chance(5)) spoil(random, measurement)
    yield measurement
  }
}

function createPopulation(random, look) {
  return {
    cids: listOf(CIDS, () => look.cid(random)),
    participants: listOf(PARTICIPANTS, () => createParticipant(random, look)),
    inetGroups: listOf(INET_GROUPS, () => look.inetGroup(random)),
    providers: listOf(PROVIDERS, () => createProvider(random))
  }
}

function createParticipant(random, look) {
  return {
    address: '0x' + random.text(HEX, 40),
    attestation: look.attestation(random)
  }
}

/** A text of the shape of a JSON Web Token: header, claims and signature in URL-safe Base64. */
function createSignedToken(random) {
  return [36, 296, 86].map(length => random.text(BASE64_URL, length)).join('.')
}

function createProvider(random) {
  const peer = '12D3KooW' + random.text(BASE58, 44)
  const octets = listOf(4, () => random.between(1, 254)).join('.')
  const port = random.between(1024, 65535)
  return random.chance(400)
    ? `/dns/${random.text(BASE36, random.between(6, 14))}.example.net/tcp/443/https/p2p/${peer}`
    : `/ip4/${octets}/tcp/${port}/http/p2p/${peer}`
}

function createMeasurement(random, population, look, id, finishedAt) {
  const participant = random.pick(population.participants)
  const outcome = createOutcome(random)
  const endedAt = finishedAt - random.between(1, 400)
  const startedAt = endedAt - outcome.duration
  return {
    id,
    spark_version: random.chance(3) ? OUTDATED_SPARK_VERSION : random.pick(look.sparkVersions),
    zinnia_version: random.pick(look.zinniaVersions),
    participant_address: participant.address,
    finished_at: iso(finishedAt),
    timeout: outcome.timeout,
    start_at: iso(startedAt),
    status_code: outcome.statusCode,
    first_byte_at: outcome.ttfb === null ? null : iso(startedAt + outcome.ttfb),
    end_at: outcome.timeout ? null : iso(endedAt),
    byte_length: outcome.byteLength,
    attestation: participant.attestation,
    inet_group: random.pick(population.inetGroups),
    car_too_large: outcome.carTooLarge,
    cid: random.pick(population.cids),
    provider_address: random.pick(population.providers),
    protocol: createProtocol(random)
  }
}

function createProtocol(random) {
  const n = random.below(100)
  if (n < 70) return 'http'
  return n < 90 ? 'bitswap' : 'graphsync'
}

/** How one retrieval went. Times are in milliseconds after its start. */
function createOutcome(random) {
  const n = random.below(1000)
  const ttfb = random.spreadOverMagnitudes(5, 13)
  if (n < 790) {
    const byteLength = Math.min(random.spreadOverMagnitudes(11, 28), CAR_SIZE_LIMIT_BYTES)
    const bytesPerMs = random.between(200, 12_000)
    return {
      timeout: false,
      statusCode: 200,
      ttfb,
      duration: ttfb + 1 + Math.floor(byteLength / bytesPerMs),
      byteLength,
      carTooLarge: false
    }
  }
  if (n < 800) {
    return {
      timeout: false,
      statusCode: 200,
      ttfb,
      duration: ttfb + random.between(5_000, 50_000),
      byteLength: CAR_SIZE_LIMIT_BYTES + random.between(1, 65_536),
      carTooLarge: true
    }
  }
  if (n < 870) {
    return { timeout: true, statusCode: null, ttfb: null, duration: 60_000, byteLength: 0, carTooLarge: false }
  }
  return {
    timeout: false,
    // No status: the connection failed before an answer came.
    statusCode: n < 970 ? random.pick(HTTP_ERRORS) : null,
    ttfb: n < 970 ? ttfb : null,
    duration: ttfb + random.between(0, 20),
    byteLength: 0,
    carTooLarge: false
  }
}

/** Makes a measurement one that validation must reject, or that a look at its times gives away. */
function spoil(random, measurement) {
  switch (random.below(6)) {
    case 0:
      measurement.cid = null
      break
    case 1:
      measurement.participant_address = measurement.participant_address.slice(0, -3)
      break
    case 2:
      measurement.finished_at = 'just now'
      break
    case 3:
      measurement.byte_length = -1
      break
    case 4:
      measurement.protocol = 'carrier-pigeon'
      break
    default:
      measurement.start_at = iso(Date.parse(measurement.finished_at) + 1000)
  }
}

function listOf(length, create) {
  return Array.from({ length }, create)
}

function iso(ms) {
  return new Date(ms).toISOString()
}

// What came of one retrieval, as a short code.

/** Retrievals stop at this size: a larger archive is not downloaded to its end. */
export const CAR_SIZE_LIMIT_BYTES = 200 * 1024 * 1024

/** @returns {string} 'OK', 'TIMEOUT', 'CAR_TOO_LARGE', 'HTTP_404' …, or 'UNKNOWN_ERROR' */
export function retrievalResult({ timeout, car_too_large, status_code, end_at }) {
  if (timeout) return 'TIMEOUT'
  if (car_too_large) return 'CAR_TOO_LARGE'
  if (status_code === null) return 'UNKNOWN_ERROR'
  if (status_code >= 400) return httpResult(status_code)
  return end_at === null ? 'UNKNOWN_ERROR' : 'OK'
}

function httpResult(statusCode) {
  switch (statusCode) {
    case 404:
      return 'HTTP_404'
    case 429:
      return 'HTTP_429'
    case 500:
      return 'HTTP_500'
    case 502:
      return 'HTTP_502'
    case 503:
      return 'HTTP_503'
    case 504:
      return 'HTTP_504'
    default:
      return statusCode < 500 ? 'HTTP_4XX' : 'HTTP_5XX'
  }
}

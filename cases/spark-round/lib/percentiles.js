/** The percentiles a round reports. */
export const PERCENTILES = [1, 5, 10, 50, 90, 95, 99]

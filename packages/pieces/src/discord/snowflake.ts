/** Matches an id. Ids are strings, because they exceed the exact range of numbers: https://docs.discord.com/developers/reference#snowflakes */
export const SNOWFLAKE = '^[1-9]\\d{0,19}$';

/** The first second of 2015. */
const EPOCH_MS = 1_420_070_400_000;

/** Compares ids without leading zeros numerically. */
export function byAge(one: string, other: string): number {
  if (one.length !== other.length) return one.length - other.length;
  return one === other ? 0 : one < other ? -1 : 1;
}

/** Returns the lowest id that can be created at a time, as a string. */
export function snowflakeOf(moment: string): string {
  const ms = Math.max(0, Date.parse(moment) - EPOCH_MS);
  return String(BigInt(ms) << 22n);
}

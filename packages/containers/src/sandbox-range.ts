/**
 * Addresses of the networks between runs and the egress proxy: 198.18.0.0/15, which is reserved for benchmarks and is never a public destination.
 * The proxy serves clients of this range only and never connects to it, whatever EGRESS_ALLOW says.
 */
export const SANDBOX_RANGE = '198.18.0.0/15';
export const PROXY_PORT = 3128;

const FIRST = 198 * 2 ** 24 + 18 * 2 ** 16;
const SIZE = 2 ** 17;
/** A /29 has six addresses: the unused gateway's, the proxy's and the run's. */
const SUBNET_SIZE = 8;
export const SUBNETS = SIZE / SUBNET_SIZE;

/** Returns the subnet with this number, from 0 to SUBNETS - 1. */
export function subnetOf(index: number): string {
  const address = FIRST + index * SUBNET_SIZE;
  const bytes = [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256);
  return `${bytes.join('.')}/29`;
}

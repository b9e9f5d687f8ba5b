/** The value of each byte as a hexadecimal digit of either case, -1 for what is none. */
export const HEX = Int8Array.from({ length: 256 }, (_, byte) => {
  const value = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(value) ? -1 : value;
});

/** The number that so many digits write; negative where they are not there. */
export function readHex(bytes: Uint8Array, from: number, digits: number): number {
  if (digits < 1 || digits > 6 || from + digits > bytes.length) return -1;
  let value = 0;
  for (let at = from; at < from + digits; at++) {
    const digit = HEX[bytes[at]!]!;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

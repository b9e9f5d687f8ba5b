type Rgb = [red: number, green: number, blue: number];

const LIMIT = 0.04045;

/** Returns the contrast ratio of two colors (`#rrggbb`) by the formula of WCAG 2.2. */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red, green, blue] = toRgb(color).map((value) => {
    const share = value / 255;
    return share <= LIMIT ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Mixes two colors. `share` is the fraction of the second color. */
export function mixed(one: string, other: string, share: number): string {
  const to = toRgb(other);
  const bytes = toRgb(one).map((value, index) => Math.round(value + (to[index]! - value) * share));
  return `#${Buffer.from(bytes).toString('hex')}`;
}

const toRgb = (hex: string): Rgb => [...Buffer.from(hex.slice(1), 'hex')] as Rgb;

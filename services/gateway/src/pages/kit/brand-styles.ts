type Rgb = [red: number, green: number, blue: number];

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** WCAG 2.2, 1.4.3 and 1.4.11. */
const TEXT_CONTRAST = 4.5;
const SHAPE_CONTRAST = 3;

/** Where text of the colour stands, of `--ground` and `--card` in pages.css the worse; and where buttons do. */
const LIGHT = { under: '#f3f4f8', card: '#ffffff', away: BLACK };
const DARK = { under: '#191c27', card: '#191c27', away: WHITE };

/** The variables of pages.css that follow an organization's colour, `rrggbb`. Buttons have it as it is; text is what is near it and can be read. */
export function brandStyles(color: string): string {
  const fill = toRgb(color);
  const onFill = contrast(fill, WHITE) >= TEXT_CONTRAST ? WHITE : BLACK;
  const variables = {
    ...inTheme(fill, LIGHT),
    '--fill': toHex(fill),
    '--fill-strong': toHex(hovered(fill, onFill)),
    '--on-fill': toHex(onFill),
  };
  return `${rule(variables)}@media (prefers-color-scheme: dark){${rule(inTheme(fill, DARK))}}`;
}

function inTheme(fill: Rgb, { under, card, away }: typeof LIGHT): Record<string, string> {
  const isSeen = contrast(fill, toRgb(card)) >= SHAPE_CONTRAST;
  return {
    '--accent': toHex(readable(fill, toRgb(under), away)),
    '--fill-edge': isSeen ? 'transparent' : 'var(--edge)',
  };
}

/** The nearest to the colour, on the way to black or white, that can be read there. */
function readable(color: Rgb, under: Rgb, away: Rgb): Rgb {
  const steps = Array.from({ length: 51 }, (_, step) => mixed(color, away, step / 50));
  return steps.find((one) => contrast(one, under) >= TEXT_CONTRAST) ?? away;
}

/** Further from the text on it; where there is no further, a little nearer. */
function hovered(fill: Rgb, onFill: Rgb): Rgb {
  const further = onFill === WHITE ? BLACK : WHITE;
  return contrast(fill, further) > 1.5 ? mixed(fill, further, 0.2) : mixed(fill, onFill, 0.15);
}

function mixed(color: Rgb, other: Rgb, share: number): Rgb {
  return color.map((value, index) => Math.round(value + (other[index]! - value) * share)) as Rgb;
}

function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const toRgb = (hex: string): Rgb => [...Buffer.from(hex.replace('#', ''), 'hex')] as Rgb;
const toHex = (color: Rgb): string => `#${Buffer.from(color).toString('hex')}`;

function rule(variables: Record<string, string>): string {
  const lines = Object.entries(variables).map(([name, value]) => `${name}:${value}`);
  return `:root{${lines.join(';')}}`;
}

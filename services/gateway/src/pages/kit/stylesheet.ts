import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type RequestHandler, type Response } from 'express';

/** The stylesheet, at a URL with its hash, so that browsers can cache it forever. */
export interface Stylesheet {
  path: string;
  serve: RequestHandler;
}

export function readStylesheet(file: string): Stylesheet {
  const bytes = readFileSync(file);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return {
    path: `/assets/pages-${hash}.css`,
    serve: (_request, response) => sendForGood(response, bytes),
  };
}

/** The variables that follow an organization's colour. The path contains the colour, so no look-up is needed. */
export const BRAND_PATH = '/assets/brand-:color.css';

export const brandPath = (color: string): string => BRAND_PATH.replace(':color', color.slice(1));

export const serveBrand: RequestHandler<{ color: string }> = ({ params: { color } }, response, next) =>
  /^[0-9a-f]{6}$/.test(color) ? sendForGood(response, brandStyles(color)) : next();

function sendForGood(response: Response, css: string | Buffer): void {
  response.set('Cache-Control', 'public, max-age=31536000, immutable').type('css').send(css);
}

type Rgb = [red: number, green: number, blue: number];

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** WCAG 2.2, 1.4.3 and 1.4.11. */
const TEXT_CONTRAST = 4.5;
const SHAPE_CONTRAST = 3;

/** Backgrounds: for text, the one of `--ground` and `--card` in pages.css with less contrast; for buttons, the card. */
const LIGHT = { under: '#f3f4f8', card: '#ffffff', away: BLACK };
const DARK = { under: '#191c27', card: '#191c27', away: WHITE };

/**
 * Returns the variables of pages.css that follow an organization's colour, `rrggbb`. Buttons use it unchanged; text uses the nearest colour that is
 * readable.
 */
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

/** Returns the readable colour nearest to `color`, on the way to black or white. */
function readable(color: Rgb, under: Rgb, away: Rgb): Rgb {
  const steps = Array.from({ length: 51 }, (_, step) => mixed(color, away, step / 50));
  return steps.find((one) => contrast(one, under) >= TEXT_CONTRAST) ?? away;
}

/** Moves the colour away from that of its text, or slightly towards it if there is no space left. */
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

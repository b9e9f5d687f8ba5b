import { type Colors, DARK, FOCUS, FONTS, LIGHT, RADII, SHADOWS, SPACES, TEXT_SIZES, WIDTHS } from './tokens.js';

/**
 * Returns the tokens as CSS custom properties, such as `--card`, `--text-body` and `--space-small`. The theme of the reader's system determines the
 * colors.
 */
export function customProperties(): string {
  const lengths = {
    ...prefixed('text', TEXT_SIZES),
    ...prefixed('space', SPACES),
    ...prefixed('radius', RADII),
    ...prefixed('width', WIDTHS),
  };
  const light = rule({
    'color-scheme': 'light dark',
    ...colors(LIGHT),
    '--shadow': SHADOWS.light,
    ...Object.fromEntries(Object.entries(lengths).map(([name, pixels]) => [name, rem(pixels)])),
    // The focus ring does not grow with the text size, so its lengths are in px.
    ...Object.fromEntries(Object.entries(prefixed('focus', FOCUS)).map(([name, pixels]) => [name, `${pixels}px`])),
    ...prefixed('font', FONTS),
  });
  const dark = rule({ ...colors(DARK), '--shadow': SHADOWS.dark });
  return `${light}@media (prefers-color-scheme: dark){${dark}}`;
}

function colors(theme: Colors): Record<string, string> {
  return Object.fromEntries(Object.entries(theme).map(([name, value]) => [`--${kebab(name)}`, value]));
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function prefixed<T>(group: string, tokens: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(tokens).map(([name, value]) => [`--${group}-${name}`, value]));
}

const rem = (pixels: number): string => `${pixels / 16}rem`;

/** Returns a CSS rule for the root element. */
export function rule(declarations: Record<string, string>): string {
  const lines = Object.entries(declarations).map(([name, value]) => `${name}:${value}`);
  return `:root{${lines.join(';')}}`;
}

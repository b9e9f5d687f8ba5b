import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brandColors, customProperties, rule } from '@drawbridge/design';
import { type RequestHandler, type Response } from 'express';

/** The tokens of packages/design and the stylesheet, at a URL that contains their hash, so that browsers can cache them forever. */
export interface Stylesheet {
  path: string;
  serve: RequestHandler;
}

export function readStylesheet(file: string): Stylesheet {
  const bytes = Buffer.from(customProperties() + readFileSync(file, 'utf8'));
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return {
    path: `/assets/pages-${hash}.css`,
    serve: (_request, response) => sendForGood(response, bytes),
  };
}

/** The path of the CSS variables that depend on an organization's color. The path contains the color, so that no look-up of the brand is needed. */
export const BRAND_PATH = '/assets/brand-:color.css';

export const brandPath = (color: string): string => BRAND_PATH.replace(':color', color.slice(1));

export const serveBrand: RequestHandler<{ color: string }> = ({ params: { color } }, response, next) =>
  /^[0-9a-f]{6}$/.test(color) ? sendForGood(response, brandStyles(color)) : next();

function sendForGood(response: Response, css: string | Buffer): void {
  response.set('Cache-Control', 'public, max-age=31536000, immutable').type('css').send(css);
}

/** Returns the CSS variables of pages.css that depend on an organization's color (`rrggbb`). */
export function brandStyles(color: string): string {
  const { fill, fillStrong, onFill, light, dark } = brandColors(`#${color}`);
  const fills = { '--fill': fill, '--fill-strong': fillStrong, '--on-fill': onFill };
  return `${rule({ ...inTheme(light), ...fills })}@media (prefers-color-scheme: dark){${rule(inTheme(dark))}}`;
}

function inTheme({ accent, isSeen }: { accent: string; isSeen: boolean }): Record<string, string> {
  return { '--accent': accent, '--fill-edge': isSeen ? 'transparent' : 'var(--edge)' };
}

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Colors, DARK, FONTS, LIGHT, RADII, SPACES } from '@drawbridge/design';
import { ICON_URL } from '../pages/kit/icon.js';
import { type Site } from './site.js';

/** The page that displays the OpenAPI document, and its files. */
export interface ApiReference {
  page: string;
  script: string;
  contentPolicy: string;
  /** The path of the files. It contains a hash of their contents. */
  folder: string;
  /** The files by their path in the folder, compressed with gzip. */
  files: ReadonlyMap<string, Buffer>;
}

/** Reads the files that document/reference.mjs wrote. */
export function readApiReference(source: string, site: Site): ApiReference {
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.gz'));
  const files = new Map(names.map((name) => [name.slice(0, -'.gz'.length), readFileSync(join(source, name))]));
  const hash = createHash('sha256');
  for (const [name, bytes] of files) hash.update(name).update(bytes);
  const folder = `/docs/assets/${hash.digest('hex').slice(0, 16)}`;
  return { page: pageOf(site), script: scriptOf(site, folder), contentPolicy: CONTENT_POLICY, folder, files };
}

/** The content security policy of the page. It allows inline styles, because the library adds style elements, and no requests to other hosts. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const pageOf = (site: Site): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>API reference · Drawbridge</title>
<link rel="icon" href="${ICON_URL}">
</head>
<body><div id="page"></div>
<script type="module" src="${site.path('/docs/page.js')}"></script>
</body></html>`;

const scriptOf = (site: Site, folder: string): string =>
  `import { createApiReference } from '${site.path(folder)}/standalone.esm.js';
createApiReference('#page', ${JSON.stringify({ ...SETTINGS, url: site.path('/api/v1/openapi.json') })});
`;

/** Hides the samples of all clients except curl, fetch and the two common HTTP clients of Python. */
const HIDDEN_CLIENTS = {
  ...Object.fromEntries(
    'c clojure csharp dart fsharp go http java kotlin objc ocaml php powershell r ruby rust swift'
      .split(' ')
      .map((language) => [language, true]),
  ),
  ...{ shell: ['wget', 'httpie'], js: ['axios', 'jquery', 'ofetch', 'xhr'], node: true },
  python: ['aiohttp', 'httpx_async', 'python3'],
};

/**
 * Replaces the library's colors, because their contrast is too low, and enlarges a button that is too small for touch (WCAG 2.2: 1.4.3 and 2.5.8).
 */
const CSS = `
.light-mode { ${variables(LIGHT)} }
.dark-mode { ${variables(DARK)} }
:root { --scalar-font: ${FONTS.text}; --scalar-font-code: ${FONTS.code}; --scalar-radius: ${RADII.small}px; --scalar-radius-lg: ${RADII.control}px }
.client-libraries { min-height: ${SPACES.wide}px; min-width: ${SPACES.wide}px }
`;

/** Returns the library's CSS variables with the colors of Drawbridge's pages. */
function variables(colors: Colors): string {
  const names = {
    ...{ 'background-1': colors.card, 'background-2': colors.ground, 'background-3': colors.line },
    ...{ 'color-1': colors.ink, 'color-2': colors.quiet, 'color-3': colors.quiet, 'color-accent': colors.accent },
    ...{ 'border-color': colors.line, 'color-green': colors.good, 'color-red': colors.bad, 'color-blue': colors.blue },
    ...{ 'color-yellow': colors.yellow, 'color-orange': colors.orange, 'color-purple': colors.purple },
  };
  return Object.entries(names)
    .map(([name, color]) => `--scalar-${name}: ${color};`)
    .join(' ');
}

/** Disables the library's own services and fonts, so that the page sends nothing to other hosts. */
const SETTINGS = {
  ...{ agent: { disabled: true }, mcp: { disabled: true }, telemetry: false, hideClientButton: true },
  ...{ showDeveloperTools: 'never', withDefaultFonts: false, documentDownloadType: 'json' },
  hiddenClients: HIDDEN_CLIENTS,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: { preferredSecurityScheme: 'apiKey' },
  customCss: CSS,
};

import { LIGHT } from '@drawbridge/design';

/** The logo of the product as an SVG file for browser tabs. The header of a page contains the same logo in the colors of the page. */
export const ICON = [
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="${LIGHT.accent}"/>`,
  `<path d="M8 25V8h5v17M13 24l11.5-9.5L13 9.5M6.5 25h19" fill="none" stroke="${LIGHT.onAccent}" stroke-width="2.25" stroke-linecap="round" stroke-linejoin="round"/></svg>`,
].join('');

/** The same icon as a data URL, because a page may load no other images. */
export const ICON_URL = `data:image/svg+xml;base64,${Buffer.from(ICON).toString('base64')}`;

import { type Brand } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { type ComponentChildren, type VNode } from 'preact';
import { type Words } from '../words/en.js';
import { brandPath } from './stylesheet.js';

interface DocumentProps {
  words: Words;
  path(path: string): string;
  stylesheet: string;
  title: string;
  body: ComponentChildren;
  brand?: Brand;
  aside?: VNode;
  isWide?: boolean;
}

/** Renders the frame of every page, with the brand of an organization or of the product. */
export function Document({ words, path, stylesheet, title, body, brand, aside, isWide = false }: DocumentProps): VNode {
  return (
    <html lang={words.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{`${title} · ${brand?.name ?? words.product}`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={path(stylesheet)} />
        {brand?.color && <link rel="stylesheet" href={path(brandPath(brand.color))} />}
      </head>
      <body class={isWide ? 'wide' : 'narrow'}>
        <a class="skip" href="#content">
          {words.skip}
        </a>
        <header class="top">
          <span class="brand">
            {brand ? <Emblem {...brand} /> : <Bridge />}
            <span class="name">{brand?.name ?? words.product}</span>
          </span>
          {aside}
        </header>
        <main id="content">{body}</main>
        {brand && (
          <footer class="foot">
            <Bridge />
            {words.runsOn}
          </footer>
        )}
      </body>
    </html>
  );
}

/** Shows the logo, or else the first letter of the name. It needs no alternative text, because the name is beside it. */
function Emblem({ name, logo }: Brand): VNode {
  if (logo) return <img class="logo" src={logo} alt="" />;
  const [first = ''] = name.trim();
  return (
    <span class="monogram" aria-hidden="true">
      {first.toUpperCase()}
    </span>
  );
}

/** A tower, and a bridge on its chain, half open. */
function Bridge(): VNode {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect class="mark-ground" width="32" height="32" rx="9" />
      <path class="mark-line" d="M8 25V8h5v17M13 24l11.5-9.5L13 9.5M6.5 25h19" />
    </svg>
  );
}

import { type Brand } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { type VNode } from 'preact';

/** Shows the logo, or else the first letter of the name. It needs no alternative text, because the name is next to it. */
export function Emblem({ name, logo }: Brand): VNode {
  if (logo) return <img class="logo" src={logo} alt="" />;
  const [first = ''] = name.trim();
  return (
    <span class="monogram" aria-hidden="true">
      {first.toUpperCase()}
    </span>
  );
}

/** The logo of the product: a tower with a half-open drawbridge. */
export function Bridge(): VNode {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect class="mark-ground" width="32" height="32" rx="9" />
      <path class="mark-line" d="M8 25V8h5v17M13 24l11.5-9.5L13 9.5M6.5 25h19" />
    </svg>
  );
}

/** Shows an outcome as an icon. Screen readers skip it, because the text next to it states the outcome. */
export function Ending({ isGood }: { isGood: boolean }): VNode {
  return (
    <svg class={isGood ? 'ending good' : 'ending bad'} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <circle cx="12" cy="12" r="12" />
      <path d={isGood ? 'M7 12.5l3.5 3.5L17 9' : 'M8 8l8 8M16 8l-8 8'} />
    </svg>
  );
}

import { type Brand } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { type VNode } from 'preact';

/** Shows the logo, or else the first letter of the name. It needs no alternative text, because the name is beside it. */
export function Emblem({ name, logo }: Brand): VNode {
  if (logo) return <img class="logo" src={logo} alt="" />;
  const [first = ''] = name.trim();
  return (
    <span class="monogram" aria-hidden="true">
      {first.toUpperCase()}
    </span>
  );
}

/** A tower, and a bridge on its chain, half open. */
export function Bridge(): VNode {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect class="mark-ground" width="32" height="32" rx="9" />
      <path class="mark-line" d="M8 25V8h5v17M13 24l11.5-9.5L13 9.5M6.5 25h19" />
    </svg>
  );
}

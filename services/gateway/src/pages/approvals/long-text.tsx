import { cutText, makeVisible } from '@drawbridge/contracts';
import { type VNode } from 'preact';
import { type Words } from '../words/en.js';

/** Longer texts are collapsed until the reader opens them, so that one field does not push the others out of sight. */
const SHOWN_CHARACTERS = 400;
const SHOWN_LINES = 12;

interface Props {
  text: string;
  isCode: boolean;
  words: Words;
}

/** Shows a text, or its beginning with the whole text below it, which opens without a script. */
export function LongText({ text, isCode, words }: Props): VNode {
  const shown = makeVisible(text);
  const beginning = beginningOf(shown);
  if (beginning === shown) return isCode ? <pre>{shown}</pre> : <>{shown}</>;
  return (
    <details>
      <summary>
        <span class="beginning">{beginning}…</span>
        <span class="more">{words.approval.showAll(text.length)}</span>
      </summary>
      <pre>{shown}</pre>
    </details>
  );
}

/** Returns whether the page collapses a part of this value, which a reload would collapse again. */
export function isLong(value: unknown): boolean {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return beginningOf(text) !== text;
}

function beginningOf(text: string): string {
  return cutText(text.split('\n', SHOWN_LINES).join('\n'), SHOWN_CHARACTERS);
}

import { cutText, makeNameVisible, makeVisible } from '@drawbridge/contracts';
import { type Approval } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { type VNode } from 'preact';
import { type Words } from '../words/en.js';
import { Section } from '../kit/parts.js';

interface Props {
  approval: Approval;
  /** Display names of the action's fields, by their keys. */
  labels: ReadonlyMap<string, string>;
  words: Words;
}

/** Shows the fields of an input that approvers may see, each under its display name, and lists the redacted, truncated and omitted fields. */
export function ApprovalInput({ approval, labels, words }: Props): VNode {
  const its = words.approval;
  const { inputPreview = {}, redactedPaths, truncatedFields, omittedFields } = approval;
  const fields = Object.entries(inputPreview);
  return (
    <Section id="input" title={its.input}>
      {fields.length === 0 && <p class="quiet">{its.nothing}</p>}
      {fields.length > 0 && (
        <dl class="facts">
          {fields.map(([key, value]) => (
            <div>
              <dt>{labels.get(key) ?? <code>{makeNameVisible(key)}</code>}</dt>
              <dd>
                <Value value={value} isTruncated={truncatedFields.includes(key)} words={words} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {omittedFields > 0 && <p class="notice bad">{its.omitted(omittedFields)}</p>}
      {redactedPaths.length > 0 && <p class="quiet">{its.hidden(makeVisible(redactedPaths.join(', ')))}</p>}
    </Section>
  );
}

function Value({ value, isTruncated, words }: { value: unknown; isTruncated: boolean; words: Words }): VNode {
  const its = words.approval;
  if (!isTruncated) return <LongText text={textOf(value)} isCode={isNested(value)} words={words} />;
  const beginning = beginningIn(value);
  return (
    <>
      <LongText text={beginning?.preview ?? textOf(value)} isCode={isNested(value)} words={words} />
      <p class="notice bad">
        {its.truncated} {beginning && its.size(beginning.bytes, beginning.sha256)}
      </p>
    </>
  );
}

/**
 * Returns the marker that replaces a truncated value of an input preview, or undefined for any other value. A marker has exactly these keys. An
 * object with more keys is a value that the caller sent.
 */
export function beginningIn(value: unknown): { preview: string; bytes: number; sha256: string } | undefined {
  const { truncated, preview, bytes, sha256, ...others } = isNested(value) ? (value as Record<string, unknown>) : {};
  if (truncated !== true || Object.keys(others).length > 0) return undefined;
  const isCut = typeof preview === 'string' && typeof bytes === 'number' && typeof sha256 === 'string';
  return isCut ? { preview, bytes, sha256 } : undefined;
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Shows an empty string as JSON, because an empty field would look as if it had not been sent. */
function textOf(value: unknown): string {
  return isNested(value) ? JSON.stringify(value, null, 2) : value === '' ? '""' : String(value);
}

/** Longer texts are collapsed until the reader opens them, so that one long field does not push the other fields off the screen. */
const SHOWN_CHARACTERS = 400;
const SHOWN_LINES = 12;

/** Shows a text, or its beginning with a collapsed full text, which opens without a script. */
function LongText({ text, isCode, words }: { text: string; isCode: boolean; words: Words }): VNode {
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

/** Returns whether the page collapses a part of this value. A reload would collapse it again. */
export function isLong(value: unknown): boolean {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return beginningOf(text) !== text;
}

function beginningOf(text: string): string {
  return cutText(text.split('\n', SHOWN_LINES).join('\n'), SHOWN_CHARACTERS);
}

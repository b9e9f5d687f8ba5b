import { type Approval } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { type VNode } from 'preact';
import { plainly } from '../kit/plainly.js';
import { type Words } from '../words/en.js';

interface Props {
  approval: Approval;
  /** What fields of the action are called, by their keys. */
  labels: ReadonlyMap<string, string>;
  words: Words;
}

/** All of an input that is shown to anybody, each field under its name. */
export function ApprovalInput({ approval, labels, words: { approval: its } }: Props): VNode {
  const { inputPreview = {}, redactedPaths } = approval;
  const cut = beginningOf(inputPreview);
  const fields = Object.entries(inputPreview);
  return (
    <section class="card" aria-labelledby="input">
      <h2 id="input">{its.input}</h2>
      {cut !== undefined && (
        <>
          <p class="quiet">{its.isCut}</p>
          <pre>{plainly(cut)}</pre>
        </>
      )}
      {cut === undefined && fields.length === 0 && <p class="quiet">{its.nothing}</p>}
      {cut === undefined && fields.length > 0 && (
        <dl class="facts">
          {fields.map(([key, value]) => (
            <div>
              <dt>{labels.get(key) ?? plainly(key)}</dt>
              <dd>{isNested(value) ? <pre>{plainly(asJson(value))}</pre> : plainly(String(value))}</dd>
            </div>
          ))}
        </dl>
      )}
      {redactedPaths.length > 0 && <p class="quiet">{its.hidden(plainly(redactedPaths.join(', ')))}</p>}
    </section>
  );
}

/** Of an input that is longer than what is kept of one. */
function beginningOf({ truncated, preview }: Record<string, unknown>): string | undefined {
  return truncated === true && typeof preview === 'string' ? preview : undefined;
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

const asJson = (value: object): string => JSON.stringify(value, null, 2);

import {
  type BatchApp,
  type BatchCall,
  type BatchRun,
  makeNameVisible,
  makeVisible,
  toBatchRun,
} from '@drawbridge/contracts';
import { type Approval } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { type VNode } from 'preact';
import { Fact, Section } from '../kit/parts.js';
import { type Words } from '../words/en.js';
import { beginningIn } from './approval-input.js';

/**
 * Returns whether an approval covers the predicted calls of a program. The input preview does not tell: the input of a single call, which the caller
 * chooses, can have the same format.
 */
export function isBatchRun({ codeRunType }: Pick<Approval, 'codeRunType'>): boolean {
  return codeRunType === 'mcp_code_batch_run';
}

interface Props {
  approval: Approval;
  words: Words;
}

/** Describes a program in two sentences. */
export function BatchSummary({ approval, words }: Props): VNode {
  const { intentSummary, impactSummary } = toBatchRun(approval);
  return (
    <Section id="about" title={words.approval.batch.about}>
      <p>
        <strong>{makeVisible(intentSummary)}</strong>
      </p>
      {impactSummary !== '' && <p>{makeVisible(impactSummary)}</p>}
    </Section>
  );
}

/** A list of more than this many calls is collapsed, so that the program and the buttons for the decision stay visible. */
const OPEN_CALLS = 12;

/** Shows the predicted calls by application, the confidence of the prediction, and the program, which the reader can open. */
export function BatchCalls({ approval, words }: Props): VNode {
  const its = words.approval.batch;
  const run = toBatchRun(approval);
  const { apps, moreCalls, analysisConfidence, dynamicSignals } = run;
  const isOpen = apps.reduce((sum, { calls }) => sum + calls.length, 0) <= OPEN_CALLS;
  return (
    <>
      <Section id="calls" title={its.calls}>
        <p class={analysisConfidence === 'dynamic' ? 'notice bad' : 'quiet'}>{its.confidence[analysisConfidence]}</p>
        {apps.length === 0 && <p class="quiet">{its.noCalls}</p>}
        {apps.map((app) => (
          <App {...app} isOpen={isOpen || app.calls.some(({ needs }) => needs === 'this')} words={words} />
        ))}
        {moreCalls > 0 && <p class="notice bad">{its.more(moreCalls)}</p>}
        <p class="quiet">{its.covers}</p>
        {dynamicSignals.length > 0 && <Texts title={its.signals} texts={dynamicSignals} />}
        <Places run={run} words={words} />
      </Section>
      <Program approval={approval} words={words} />
    </>
  );
}

function App({ name, alias, calls, isOpen, words }: BatchApp & { isOpen: boolean; words: Words }): VNode {
  return (
    <details open={isOpen} class="tools">
      <summary>
        <strong>{makeVisible(name)}</strong> {name !== alias && <span class="quiet">({makeNameVisible(alias)})</span>}
        <span class="about">{words.approval.batch.countOf(calls.length)}</span>
      </summary>
      <ul class="rows">
        {calls.map((call) => (
          <Call {...call} words={words} />
        ))}
      </ul>
    </details>
  );
}

function Call({ actionName, needs, words }: BatchCall & { words: Words }): VNode {
  return (
    <li>
      <code>{makeNameVisible(actionName)}</code>
      {needs && <span class={`badge ${needs === 'this' ? 'bad' : 'open'}`}>{words.approval.batch.needs[needs]}</span>}
    </li>
  );
}

function Texts({ title, texts }: { title: string; texts: readonly string[] }): VNode {
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {texts.map((text) => (
          <li>{makeVisible(text)}</li>
        ))}
      </ul>
    </>
  );
}

function Places({ run: { externalDomains, storageIndicators }, words }: { run: BatchRun; words: Words }): VNode | null {
  const its = words.approval.batch;
  const named = [
    [its.domains, externalDomains.join(', ')],
    [its.storage, storageIndicators.join(', ')],
  ] as const;
  const given = named.filter(([, value]) => value !== '');
  if (given.length === 0) return null;
  return (
    <dl class="facts">
      {given.map(([name, value]) => (
        <Fact name={name} value={value} />
      ))}
    </dl>
  );
}

function Program({ approval, words }: Props): VNode {
  const its = words.approval;
  const { inputPreview = {}, truncatedFields, redactedPaths } = approval;
  const { code } = inputPreview;
  const cut = truncatedFields.includes('code') ? beginningIn(code) : undefined;
  const text = cut?.preview ?? (typeof code === 'string' ? code : undefined);
  return (
    <Section id="program" title={its.batch.program}>
      {text === undefined ? (
        <p class="notice bad">{its.batch.noProgram}</p>
      ) : (
        <details>
          <summary>{its.batch.showProgram}</summary>
          <pre>{makeVisible(text)}</pre>
        </details>
      )}
      {cut && (
        <p class="notice bad">
          {its.truncated} {its.size(cut.bytes, cut.sha256)}
        </p>
      )}
      {redactedPaths.length > 0 && <p class="quiet">{its.hidden(makeVisible(redactedPaths.join(', ')))}</p>}
    </Section>
  );
}

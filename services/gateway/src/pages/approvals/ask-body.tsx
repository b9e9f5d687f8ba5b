import { type VNode } from 'preact';
import { type Asked } from '../kit/page-kit.js';
import { Field, Form } from '../kit/parts.js';
import { type Words } from '../words/en.js';
import { homeOf, type Shown, titleOf, What } from './approval-body.js';
import { BatchSummary, isBatchRun } from './batch-run.js';

export type Choice = keyof Words['approval']['ask'];

export function askTitle(choice: Choice, { approval }: Pick<Shown, 'approval'>, { approval: its }: Words): string {
  return isBatchRun(approval) ? its.batch.ask[choice] : its.ask[choice].title;
}

interface AskProps extends Shown, Pick<Asked, 'words' | 'path'> {
  choice: Choice;
  /** The reason that the user entered, shown again after a validation error. */
  reason?: string;
  problem?: string;
}

/** Asks for confirmation of a decision, and repeats what would run. */
export function AskBody({ choice, reason, problem, words, path, ...shown }: AskProps): VNode {
  const its = words.approval;
  const { approval } = shown;
  const isBatch = isBatchRun(approval);
  return (
    <>
      <h1>{askTitle(choice, shown, words)}</h1>
      <p class="lead">{titleOf(shown, words)}</p>
      {isBatch && <BatchSummary approval={approval} words={words} />}
      <What {...shown} words={words} path={path} />
      <section class="card">
        <Form action={path(`${homeOf(approval)}/${choice}`)}>
          <Field
            name="reason"
            type="lines"
            label={its.reason}
            value={reason}
            hint={its.reasonHint}
            problem={problem}
            autocomplete="off"
            isOptional
          />
          <button type="submit" class={choice === 'reject' ? 'primary danger' : 'primary'}>
            {its.ask[choice].submit}
          </button>
        </Form>
        <p class="after">
          <a href={path(homeOf(approval))}>{its.back}</a>
        </p>
      </section>
    </>
  );
}

import { type VNode } from 'preact';
import { Field, Form } from '../kit/parts.js';
import { type Words } from '../words/en.js';
import { Details, homeOf, type Shown } from './approval-body.js';
import { ApprovalInput } from './approval-input.js';

export type Choice = keyof Words['approval']['ask'];

interface Props extends Shown {
  choice: Choice;
  /** Shown again after a validation error. */
  reason?: string;
  problem?: string;
  words: Words;
  path(path: string): string;
}

/** Asks for confirmation of a decision, and repeats what would run. */
export function AskBody({ choice, reason, problem, words, path, ...shown }: Props): VNode {
  const its = words.approval;
  const { approval, action, integration } = shown;
  return (
    <>
      <h1>{its.ask[choice].title}</h1>
      <p class="lead">{its.title(action, integration)}</p>
      <Details {...shown} words={words} path={path} />
      <ApprovalInput approval={approval} labels={shown.labels} words={words} />
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
          <button type="submit" class="primary">
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

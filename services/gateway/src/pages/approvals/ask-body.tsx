import { type VNode } from 'preact';
import { Field, Form } from '../kit/parts.js';
import { type Words } from '../words/en.js';
import { homeOf, type Shown } from './approval-body.js';

export type Choice = keyof Words['approval']['ask'];

interface Props extends Shown {
  choice: Choice;
  /** As it was typed. */
  reason?: string;
  problem?: string;
  words: Words;
  path(path: string): string;
}

/** Asks before a request is decided. */
export function AskBody({ choice, reason, problem, approval, action, integration, words, path }: Props): VNode {
  const its = words.approval;
  return (
    <section class="card">
      <h1>{its.ask[choice].title}</h1>
      <p class="lead">{its.title(action, integration)}</p>
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
  );
}

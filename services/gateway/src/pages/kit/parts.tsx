import { makeVisible } from '@drawbridge/contracts';
import { type ComponentChildren, type InputHTMLAttributes, type VNode } from 'preact';

interface FieldProps {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'password' | 'lines' | 'secret' | 'secret-lines';
  value?: string;
  autocomplete: string;
  hint?: string;
  /** Shown below the field, and announced by screen readers. */
  problem?: string;
  isFirst?: boolean;
  isOptional?: boolean;
  /** The label of the checkbox that shows the input, for types that mask it. */
  reveal?: string;
}

export function Field({ name, label, hint, problem, isFirst, isOptional, reveal, ...rest }: FieldProps): VNode {
  const described = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <Input
        {...rest}
        id={name}
        name={name}
        required={!isOptional}
        autofocus={isFirst || Boolean(problem)}
        aria-invalid={problem ? 'true' : undefined}
        aria-describedby={described || undefined}
      />
      {reveal && (
        <label class="reveal">
          <input type="checkbox" aria-controls={name} />
          {reveal}
        </label>
      )}
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {problem && (
        <p class="problem" id={`${name}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}

type InputProps = Pick<
  InputHTMLAttributes,
  'id' | 'name' | 'value' | 'required' | 'autofocus' | 'autocomplete' | 'aria-invalid' | 'aria-describedby'
>;

/** Renders the input element of a field. The attributes, such as those for autofill and keyboards, depend on its type. */
function Input({ type, ...its }: Pick<FieldProps, 'type'> & InputProps): VNode {
  switch (type) {
    case 'email':
      return <input type="email" {...its} />;
    case 'password':
      return <input type="password" {...its} />;
    case 'secret':
      // A masked text input, because the stylesheet can unmask it. A password input could be unmasked only by a script.
      return <input type="text" class="masked" spellcheck={false} autocapitalize="none" {...its} />;
    case 'lines':
    case 'secret-lines':
      // Spell checking is off: a browser may send the text, which can be a private key, to a spelling service.
      return <textarea rows={6} spellcheck={false} class={type === 'lines' ? undefined : 'masked'} {...its} />;
    default:
      return <input type="text" {...its} />;
  }
}

interface FormProps {
  action: string;
  hidden?: Record<string, string>;
  children: ComponentChildren;
  class?: string;
}

/** Renders a form that works without scripts. `noValidate` leaves validation to the server, so that all messages are in the language of the page. */
export function Form({ action, hidden = {}, children, class: className }: FormProps): VNode {
  return (
    <form method="post" action={action} noValidate class={className}>
      {Object.entries(hidden).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}

/** Shows a message that screen readers announce. */
export function Notice({ kind, children }: { kind: 'good' | 'bad'; children: ComponentChildren }): VNode {
  return (
    <p class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      {children}
    </p>
  );
}

/** Shows text from a caller or a client under a label, in a `dl` of the class `facts`. */
export function Fact({ name, value }: { name: string; value: string | VNode }): VNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{typeof value === 'string' ? makeVisible(value) : value}</dd>
    </div>
  );
}

export function ButtonLink({ to, label, isDanger }: { to: string; label: string; isDanger?: boolean }): VNode {
  return (
    <a class={isDanger ? 'button danger' : 'button'} href={to}>
      {label}
    </a>
  );
}

/** Shows a card with a heading. Screen readers and links refer to the heading by `id`. */
export function Section({ id, title, children }: { id: string; title: string; children: ComponentChildren }): VNode {
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

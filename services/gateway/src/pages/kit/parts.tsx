import { type ComponentChildren, type InputHTMLAttributes, type VNode } from 'preact';

interface FieldProps {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'password' | 'lines' | 'secret-lines';
  value?: string;
  autocomplete: string;
  hint?: string;
  /** Said beneath it, and told to who can't see that it is red. */
  problem?: string;
  isFirst?: boolean;
  isOptional?: boolean;
}

/** A labelled input. */
export function Field({ name, label, hint, problem, isFirst, isOptional, ...rest }: FieldProps): VNode {
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

/** Each type has attributes of its own. */
function Input({ type, ...its }: Pick<FieldProps, 'type'> & InputProps): VNode {
  switch (type) {
    case 'email':
      return <input type="email" {...its} />;
    case 'password':
      return <input type="password" {...its} />;
    case 'lines':
    case 'secret-lines':
      return <Lines isSecret={type === 'secret-lines'} {...its} />;
    default:
      return <input type="text" {...its} />;
  }
}

/** No browser's spelling help may send a key away to be looked at. */
function Lines({ isSecret, ...its }: { isSecret: boolean } & InputProps): VNode {
  return <textarea rows={6} spellcheck={false} class={isSecret ? 'masked' : undefined} {...its} />;
}

interface FormProps {
  action: string;
  /** Sent along unseen. */
  hidden?: Record<string, string>;
  children: ComponentChildren;
  class?: string;
}

/** Works without scripts; what is wrong is said by us, in our words, not by the browser. */
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

/** What has just happened: read out by who can't see it. */
export function Notice({ kind, children }: { kind: 'good' | 'bad'; children: ComponentChildren }): VNode {
  return (
    <p class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      {children}
    </p>
  );
}

import { type ConnectField, type ConnectPage } from '@drawbridge/proto/drawbridge/connections/v1/connect_pages';
import { type Brand } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { type VNode } from 'preact';
import { Field, Form, Notice } from '../kit/parts.js';
import { type Words } from '../words/en.js';

export interface Shown {
  shown: ConnectPage;
  /** The chosen type; the form uses the preferred one if it is not available. */
  type: string;
  /** Fields that were left empty, or are too long. */
  missing?: string[];
}

interface Props extends Shown {
  others: string[];
  title: string;
  brand: Brand;
  words: Words;
  path(path: string): string;
}

export function chooseBody({ shown, type, missing }: Shown): Pick<Props, 'shown' | 'type' | 'missing' | 'others'> {
  const chosen = shown.types.includes(type) ? type : (shown.types[0] ?? '');
  return { shown, type: chosen, missing, others: shown.types.filter((one) => one !== chosen) };
}

/** Shows the form for one connection type, with links to the others. */
export function ConnectForm({ shown, type, missing = [], others, title, brand, words, path }: Props): VNode {
  const { connect } = words;
  const own = `/connect/${shown.sessionId}`;
  return (
    <section class="card">
      {shown.logoUrl && <img class="logo" src={shown.logoUrl} alt="" />}
      <h1>{title}</h1>
      <p class="lead">{connect.lead(brand.name, shown.connectionName)}</p>
      {shown.problem && <Notice kind="bad">{connect.problem(shown.problem.code, shown.problem.message)}</Notice>}
      {type === '' && <Notice kind="bad">{connect.noWay}</Notice>}
      {type === 'OAUTH2' && (
        <Form action={path(`${own}/authorize`)}>
          <button type="submit" class="primary">
            {connect.continueWith(shown.integrationDisplayName)}
          </button>
        </Form>
      )}
      {type !== '' && type !== 'OAUTH2' && <TypedForm {...{ shown, type, missing, words }} action={path(own)} />}
      {others.length > 0 && (
        <div class="ways">
          <p class="or">{words.signIn.or}</p>
          {others.map((other) => (
            <a class="button wide" href={path(`${own}?with=${other}`)}>
              {connect.by(other)}
            </a>
          ))}
        </div>
      )}
    </section>
  );
}

interface TypedProps {
  shown: ConnectPage;
  type: string;
  missing: string[];
  words: Words;
  action: string;
}

function TypedForm({ shown, type, missing, words, action }: TypedProps): VNode {
  return (
    <Form action={action} hidden={{ type }}>
      {shown.authDescription && <p class="hint">{shown.authDescription}</p>}
      {fieldsOf(type, shown.fields, words).map((field, index) => (
        <Field
          name={`field.${field.name}`}
          label={field.displayName}
          type={inputOf(field)}
          hint={field.description}
          autocomplete="off"
          isOptional={!field.required}
          isFirst={index === 0}
          problem={missing.includes(field.name) ? words.problems.required : undefined}
        />
      ))}
      <button type="submit" class="primary">
        {words.connect.submit}
      </button>
    </Form>
  );
}

function inputOf({ secret, multiline }: ConnectField) {
  if (multiline) return secret ? 'secret-lines' : 'lines';
  return secret ? 'password' : 'text';
}

function fieldsOf(type: string, props: ConnectField[], { connect }: Words): ConnectField[] {
  const field = (name: string, displayName: string, secret: boolean, required = true): ConnectField => ({
    name,
    displayName,
    description: '',
    required,
    secret,
    multiline: false,
  });
  if (type === 'SECRET_TEXT') return [field('secretText', connect.secretText, true)];
  if (type === 'BASIC_AUTH') {
    return [field('username', connect.username, false), field('password', connect.password, true, false)];
  }
  return props;
}

import { type ConnectField, type ConnectPage } from '@drawbridge/proto/drawbridge/connections/v1/connect_pages';
import { type Brand } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { type VNode } from 'preact';
import { type Asked, type PageAnswer, type PageKit } from '../kit/page-kit.js';
import { Emblem } from '../kit/marks.js';
import { Field, Form, Notice } from '../kit/parts.js';
import { type Words } from '../words/en.js';

export interface Shown {
  shown: ConnectPage;
  /** The selected connection type. If the integration does not have it, the form is for the preferred type. */
  type: string;
  /** The names of the fields with problems. */
  wrong?: string[];
  /** The submitted values of the account. Submitted credentials are not shown again. */
  sent?: Record<string, string>;
}

interface Props extends Shown, Pick<Asked, 'words' | 'path'> {
  others: string[];
  title: string;
  brand: Brand;
}

/** Returns the page with the form. The fields of a submitted credential are empty, because any of them may be secret. */
export async function formPage(
  { clients }: PageKit,
  { words, path }: Pick<Asked, 'words' | 'path'>,
  { status, ...its }: Shown & { status?: number },
): Promise<PageAnswer> {
  const brand = await clients.organizations.getBrand({ orgId: its.shown.orgId });
  const title = words.connect.title(its.shown.integrationDisplayName);
  const { types } = its.shown;
  const type = types.includes(its.type) ? its.type : (types[0] ?? '');
  const others = types.filter((one) => one !== type);
  const props = { ...its, type, others, title, brand, words, path };
  const body = <ConnectForm {...props} />;
  return { title, body, brand, status };
}

/** Shows the form for one connection type, with links to the other types. */
function ConnectForm({ others, title, brand, path, ...its }: Props): VNode {
  const { shown, type, words } = its;
  const { connect } = words;
  const own = `/connect/${shown.sessionId}`;
  return (
    <section class="card">
      <Emblem name={shown.integrationDisplayName} logo={shown.logoUrl} />
      <h1>{title}</h1>
      <p class="lead">{connect.lead(brand.name, shown.connectionName)}</p>
      {shown.problem && <Notice kind="bad">{connect.problem(shown.problem.code, shown.problem.message)}</Notice>}
      {type === '' && <Notice kind="bad">{connect.noWay}</Notice>}
      {type === 'OAUTH2' && (
        <Form action={path(`${own}/authorize`)}>
          {shown.shares.length > 0 && <Shares shares={shown.shares} title={connect.shares(brand.name)} />}
          <Fields {...its} fields={shown.account} values={its.sent ?? shown.accountValues} />
          <button type="submit" class="primary">
            {connect.continueWith(shown.integrationDisplayName)}
          </button>
        </Form>
      )}
      {type !== '' && type !== 'OAUTH2' && <TypedForm {...its} action={path(own)} />}
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
      <Form action={path(`${own}/cancel`)} class="after">
        <button type="submit" class="plain wide">
          {connect.cancel}
        </button>
      </Form>
    </section>
  );
}

/** Lists the permissions that an account connected by OAuth grants. */
function Shares({ shares, title }: { shares: readonly string[]; title: string }): VNode {
  return (
    <section aria-labelledby="shares">
      <h2 id="shares">{title}</h2>
      <ul class="shares">
        {shares.map((one) => (
          <li>{one}</li>
        ))}
      </ul>
    </section>
  );
}

type Its = Shown & Pick<Props, 'words'>;

function TypedForm({ action, ...its }: Its & { action: string }): VNode {
  const { shown, type, words } = its;
  return (
    <Form action={action} hidden={{ type }}>
      {shown.authDescription && <p class="hint">{shown.authDescription}</p>}
      {shown.keysUrl && (
        <p class="hint">
          <a href={shown.keysUrl} target="_blank" rel="noreferrer">
            {words.connect.keysAt(shown.integrationDisplayName)}
          </a>
        </p>
      )}
      <Fields {...its} fields={fieldsOf(type, shown.fields, words)} />
      <button type="submit" class="primary">
        {words.connect.submit}
      </button>
    </Form>
  );
}

interface FieldsProps extends Pick<Its, 'wrong' | 'sent' | 'words'> {
  fields: ConnectField[];
  /** Values to show in the fields. */
  values?: Record<string, string>;
}

function Fields({ fields, values = {}, wrong = [], sent = {}, words }: FieldsProps): VNode {
  const valueOf = (of: Record<string, string>, name: string): string => (Object.hasOwn(of, name) ? of[name]! : '');
  const problemOf = (name: string): string =>
    valueOf(sent, name) === '' ? words.problems.required : words.problems.invalid;
  return (
    <>
      {fields.map((field, index) => (
        <Field
          name={`field.${field.name}`}
          label={field.displayName}
          type={inputOf(field)}
          value={valueOf(values, field.name) || undefined}
          hint={field.description}
          autocomplete="off"
          isOptional={!field.required}
          isFirst={index === 0}
          problem={wrong.includes(field.name) ? problemOf(field.name) : undefined}
          reveal={field.secret ? words.connect.reveal : undefined}
        />
      ))}
    </>
  );
}

function inputOf({ secret, multiline }: ConnectField) {
  if (multiline) return secret ? 'secret-lines' : 'lines';
  return secret ? 'secret' : 'text';
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

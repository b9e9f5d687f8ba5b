import { type approvalEn } from './approval-en.js';
import { batchRunDe } from './batch-run-de.js';

export const approvalDe: typeof approvalEn = {
  title: (action, integration) => `${action} in ${integration}`,
  as: (what, account) => `${what} als ${account}`,
  lead: (organization) => `${organization} braucht Ihre Genehmigung, bevor diese Aktion ausgeführt wird.`,
  status: {
    pending: 'Wartet auf eine Entscheidung',
    approved: 'Genehmigt',
    consumed: 'Genehmigt und ausgeführt',
    rejected: 'Abgelehnt',
    canceled: 'Zurückgezogen',
    expired: 'Abgelaufen',
  },
  meaning: {
    pending: 'Ohne Genehmigung wird nichts ausgeführt.',
    approved: 'Die Aktion wird einmal ausgeführt, sobald die App die Anfrage wiederholt.',
    consumed: 'Die Aktion wurde einmal ausgeführt und wird nicht wiederholt.',
    rejected: 'Die Aktion wird nicht ausgeführt.',
    canceled: 'Diese Genehmigung wird nicht mehr gebraucht. Die Aktion wird nicht ausgeführt.',
    expired: 'Es wurde nicht rechtzeitig entschieden. Die Aktion wird nicht ausgeführt.',
  },
  by: (how, who) =>
    how === 'hosted_link'
      ? 'Entschieden über den Link zu dieser Seite'
      : `Entschieden von ${how === 'api_key' ? 'einem API-Schlüssel von ' : ''}${who}`,
  endUser: 'der Person, für die die Aktion ist',
  somebodyOf: (organization) => `einem Mitglied von ${organization}`,
  because: 'Angegebener Grund',
  what: 'Einzelheiten',
  action: 'Aktion',
  account: 'Konto',
  noAccount: 'keines',
  person: 'Für',
  askedBy: 'Angefragt von',
  sources: {
    rest: 'einer Anwendung, über die REST-Schnittstelle',
    sdk: 'einer Anwendung, mit dem SDK',
    playground: 'einem Menschen, zum Ausprobieren',
    mcp_tools: 'einem KI-Agenten, mit einem MCP-Werkzeug',
    mcp_code: 'einem KI-Agenten, mit erzeugtem Code',
    trigger: 'einem Automatismus, nach einem Ereignis',
  },
  since: 'Angefragt',
  until: 'Läuft ab',
  runsUntil: 'Genehmigung endet',
  why: 'Warum eine Genehmigung nötig ist',
  input: 'Was gesendet wird',
  nothing: 'Nichts.',
  showAll: (characters) => `Alle ${characters.toLocaleString('de')} Zeichen zeigen oder verbergen`,
  truncated: 'Dieses Feld kann hier nicht vollständig gezeigt werden.',
  size: (bytes, sha256) => `Der Wert hat ${bytes.toLocaleString('de')} Bytes. SHA-256: ${sha256}`,
  omitted: (fields) =>
    fields === 1
      ? 'Ein weiteres Feld wird gesendet und kann hier nicht gezeigt werden.'
      : `${fields.toLocaleString('de')} weitere Felder werden gesendet und können hier nicht gezeigt werden.`,
  tooLarge:
    'Mit diesem Link können Sie die Anfrage ablehnen, aber nicht genehmigen, denn die Seite kann nicht alles zeigen, was gesendet wird. Genehmigen kann, wer sich anmeldet und entscheiden darf.',
  hidden: (paths) => `Hier verborgen: ${paths}`,
  approve: 'Genehmigen …',
  reject: 'Ablehnen …',
  mayNot:
    'Sie dürfen das sehen, aber nicht entscheiden. Das können Inhaber, Administratoren und die, die in der Richtlinie stehen.',
  suspended:
    'Diese Anfrage kann nicht entschieden werden, weil ihr Arbeitsbereich gesperrt ist. Inhaber und Administratoren können ihn wieder freigeben.',
  live: 'Wird alle 30 Sekunden automatisch aktualisiert.',
  still: 'Anhalten',
  look: 'Noch einmal nachsehen',
  ask: {
    approve: { title: 'Genehmigen?', submit: 'Genehmigen' },
    reject: { title: 'Ablehnen?', submit: 'Ablehnen' },
  },
  reason: 'Grund',
  reasonHint: 'Optional. Der Grund wird mit der Entscheidung gespeichert, und andere können ihn lesen.',
  tooLong: 'Höchstens 1.000 Zeichen.',
  back: 'Zurück, ohne zu entscheiden',
  late: 'Es wurde bereits entschieden. Nichts hat sich geändert.',
  batch: batchRunDe,
  over: {
    title: 'Dieser Link gilt nicht',
    text: 'Er ist unvollständig, oder seine Anfrage gibt es nicht mehr. Bitten Sie um einen neuen Link.',
  },
  none: {
    title: 'Anfrage nicht gefunden',
    text: 'Sie ist gelöscht, wird nur über ihren Link entschieden oder gehört einer anderen Ihrer Organisationen: Wählen Sie diese in Ihrem Konto und öffnen Sie die Seite noch einmal.',
  },
};

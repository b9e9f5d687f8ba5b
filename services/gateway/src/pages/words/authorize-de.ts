import { type authorizeEn } from './authorize-en.js';

/** The German texts of the page on which a user authorizes a program. */
export const authorizeDe: typeof authorizeEn = {
  title: (client) => `${client} zulassen?`,
  lead: (client, server) => `${client} möchte „${server}“ in Ihrem Namen benutzen.`,
  unnamed: 'Eine Anwendung ohne Namen',
  unchecked: 'Der Name dieser Anwendung ist nicht geprüft. Fahren Sie nur fort, wenn Sie das selbst begonnen haben.',
  program: 'Anwendung',
  goesTo: 'Sie werden weitergeleitet zu',
  onThisDevice: (place) => `einer Anwendung auf diesem Gerät (${place})`,
  may: 'Sie darf',
  scopes: {
    'mcp:tools': 'die Werkzeuge dieses Servers benutzen',
    'mcp:code': 'Code ausführen, der die Werkzeuge benutzt',
  },
  tools: 'Werkzeuge, die sie benutzen kann',
  noTools: 'Im Augenblick gibt es keine Werkzeuge.',
  counts: (tools, integrations) =>
    `${tools === 1 ? '1 Werkzeug' : `${tools.toLocaleString('de')} Werkzeuge`} aus ${integrations === 1 ? '1 Integration' : `${integrations} Integrationen`}.`,
  effects: {
    payment: 'bezahlt',
    delete: 'löscht',
    send: 'sendet',
    admin: 'verwaltet',
    code: 'führt Code aus',
    write: 'schreibt',
    read: 'liest nur',
  },
  account: (name) => `Mit dem Konto ${name}`,
  noAccount: 'Ohne Konto',
  ownAccount: 'Mit Ihrem eigenen Konto, das Sie bei der ersten Benutzung verbinden',
  missingAccount: 'Es ist kein Konto verbunden',
  mayChange: 'Die Organisation kann diese Liste später ändern.',
  you: 'Sie sind',
  newPerson: (email) => `${email}, zum ersten Mal`,
  allow: 'Zulassen',
  deny: 'Nicht zulassen',
  until: 'Der Zugriff endet, wenn Sie oder der Betreiber ihn widerrufen, oder nach 30 Tagen ohne Benutzung.',
  who: 'Wer sind Sie?',
  whoElse: 'Sind Sie jemand anderes?',
  signIn: 'Anmelden',
  otherAccount: 'Anderes Konto verwenden',
  or: 'oder',
  email: 'E-Mail',
  sendCode: 'Code per E-Mail schicken',
  noMail: 'Ohne Konto können Sie das nicht zulassen, weil dieser Server keine E-Mails verschickt.',
  codeTitle: 'Code eingeben',
  codeLead:
    'Wenn diese E-Mail-Adresse hier bekannt ist, ist ein Code unterwegs. Er gilt 10 Minuten, in diesem Browser.',
  code: 'Code',
  check: 'Weiter',
  wrong: 'Der Code ist falsch oder abgelaufen. Fordern Sie nach fünf Versuchen einen neuen an.',
  another: 'Neuen Code anfordern',
  back: 'Zurück zur Anwendung',
  changed: 'Der angefragte Zugriff hat sich geändert. Prüfen Sie ihn noch einmal.',
  refusals: {
    unknown: 'Ihre E-Mail-Adresse ist hier nicht bekannt. Bitten Sie den Betreiber, Sie aufzunehmen.',
    ambiguous:
      'Ihre E-Mail-Adresse gehört hier zu mehreren Personen, sodass wir Sie nicht zuordnen können. Fragen Sie den Betreiber.',
    another: 'Dieser Zugriff ist auf eine andere Person beschränkt.',
  },
  bad: {
    client: {
      title: 'Unbekannte Anwendung',
      text: 'Die Anwendung ist nicht registriert, ihre Metadaten sind nicht lesbar, oder ihre Registrierung ist abgelaufen. Beginnen Sie in der Anwendung von vorn.',
    },
    redirect: {
      title: 'Die Adresse der Weiterleitung ist nicht registriert',
      text: 'Die Anwendung möchte Sie an eine Adresse leiten, die sie nicht registriert hat. Es wurde nichts zugelassen.',
    },
    asked: {
      title: 'Dieser Zugriff ist nicht verfügbar',
      text: 'Die Anwendung fragt einen Zugriff an, den es nicht gibt oder der nicht gewährt werden kann. Es wurde nichts zugelassen. Gehen Sie nur zurück, wenn Sie wissen, wohin das führt.',
    },
    request: {
      title: 'Die Anfrage kann nicht gelesen werden',
      text: 'Die Anfrage ist zu lang oder wiederholt einen Parameter. Es wurde nichts zugelassen.',
    },
  },
};

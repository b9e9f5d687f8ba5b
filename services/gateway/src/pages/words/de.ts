import { approvalDe } from './approval-de.js';
import { authorizeDe } from './authorize-de.js';
import { type Words } from './en.js';
import { portalDe } from './portal-de.js';

export const de: Words = {
  language: 'de',
  product: 'Drawbridge',
  runsOn: 'Läuft mit Drawbridge',
  skip: 'Zum Inhalt',
  signIn: {
    title: 'Anmelden',
    lead: 'Willkommen zurück.',
    email: 'E-Mail',
    password: 'Passwort',
    submit: 'Anmelden',
    invitedOnly: 'Noch kein Konto? Bitten Sie die Verwaltung Ihrer Organisation um eine Einladung.',
    wrong: 'E-Mail oder Passwort stimmt nicht.',
    ended: 'Sie sind abgemeldet.',
    or: 'oder',
    mailLink: 'Stattdessen Link per E-Mail',
    sent: 'Wenn es zu dieser E-Mail ein Konto gibt, ist ein Link dorthin unterwegs. Er gilt einmal und 15 Minuten lang.',
    asWhom: (email) => `Sie melden sich gleich an als ${email}.`,
    linkUsed: 'Dieser Link gilt nicht mehr',
    linkUsedLead: 'Er wurde schon benutzt, oder seine 15 Minuten sind um. Sie können sich einen neuen schicken lassen.',
    again: 'Zurück zur Anmeldung',
    withProvider: (name) => `Anmelden mit ${name}`,
  },
  withProvider: {
    failed: 'Sie sind nicht angemeldet',
    reasons: {
      denied: 'Ihr Anmeldedienst hat die Anfrage abgelehnt.',
      provider:
        'Wir konnten Ihre Identität bei Ihrem Anmeldedienst nicht bestätigen. Versuchen Sie es in einer Minute noch einmal, oder melden Sie sich anders an.',
      over: 'Die Anmeldung hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Bitte beginnen Sie noch einmal.',
      unverified_email:
        'Ihr Anmeldedienst hat Ihre E-Mail-Adresse nicht bestätigt. Bestätigen Sie sie dort und versuchen Sie es noch einmal.',
      no_account:
        'Zu dieser E-Mail-Adresse gibt es weder ein Konto noch eine Einladung. Bitten Sie die Verwaltung Ihrer Organisation um eine Einladung.',
    },
  },
  connect: {
    title: (integration) => `${integration} verbinden`,
    lead: (organization, connection) => `${organization} verwendet dieses Konto als „${connection}“.`,
    continueWith: (integration) => `Weiter zu ${integration}`,
    leading: (integration) => `Weiterleitung zu ${integration}`,
    submit: 'Verbinden',
    by: (type) =>
      type === 'OAUTH2'
        ? 'Stattdessen dort anmelden'
        : type === 'SECRET_TEXT'
          ? 'API-Schlüssel oder Token verwenden'
          : type === 'BASIC_AUTH'
            ? 'Benutzername und Passwort verwenden'
            : 'Angaben eingeben',
    secretText: 'API-Schlüssel oder Token',
    username: 'Benutzername',
    password: 'Passwort',
    problem: (code, words) => {
      const said = words ? ` Die Antwort war: ${words}` : '';
      return code === 'refused'
        ? `Die Zugangsdaten wurden nicht angenommen. Prüfen Sie sie und versuchen Sie es noch einmal.${said}`
        : `Der Anbieter war nicht erreichbar, um die Zugangsdaten zu prüfen. Versuchen Sie es in einer Minute noch einmal.${said}`;
    },
    noWay:
      'Diese Verbindung ist im Augenblick nicht verfügbar. Wenden Sie sich an das Unternehmen, das Sie hierher geleitet hat.',
    done: (integration) => `${integration} ist verbunden`,
    failed: (integration) => `${integration} ist nicht verbunden`,
    denied: 'Der Zugriff wurde nicht erlaubt.',
    refused: 'Der Anbieter hat die Verbindung abgelehnt.',
    close: 'Sie können dieses Fenster schließen.',
    askAgain:
      'Sie können dieses Fenster schließen. Für einen neuen Versuch fordern Sie in der App, die Sie hierher geleitet hat, einen neuen Link an.',
    goingOn: 'Sie werden zurückgeleitet.',
    goOn: 'Jetzt zurück',
    busy: {
      title: 'Es wird gerade verbunden',
      text: 'Das dauert einen Moment. Begonnen wurde es in diesem Browser oder in einem anderen Fenster.',
    },
    look: 'Noch einmal nachsehen',
    over: {
      title: 'Dieser Link gilt nicht',
      text: 'Er ist abgelaufen oder wurde in einem anderen Browser geöffnet. Gehen Sie zurück und beginnen Sie von vorn.',
    },
    elsewhere: {
      title: 'Diese Verbindung wurde in einem anderen Browser begonnen',
      text: 'Die Antwort gehört zu einem anderen Browser. Es wurde nichts verbunden.',
    },
    late: {
      title: 'Die Verbindung hat zu lange gedauert',
      text: 'Beim Anbieter haben Sie 30 Minuten Zeit. Es wurde nichts verbunden.',
    },
    long: {
      title: 'Die Antwort des Anbieters war zu groß',
      text: 'Die Antwort ist länger als erlaubt. Es wurde nichts verbunden. Wenden Sie sich an das Unternehmen, das Sie hierher geleitet hat.',
    },
    replaced: {
      title: 'Ein neuerer Versuch hat diesen ersetzt',
      text: 'Die Antwort gehört zu einem früheren Versuch und wurde nicht verwendet. Es wurde nichts verbunden.',
    },
    away: {
      title: 'Der Anbieter hat nicht geantwortet',
      text: 'Sie haben den Zugriff erlaubt, aber der Anbieter war danach nicht erreichbar. Es wurde nichts verbunden. Versuchen Sie es in einer Minute noch einmal.',
    },
    beginAgain: 'Neu beginnen',
  },
  signUp: {
    title: (organization) => `${organization} beitreten`,
    lead: (email) => `Sie sind eingeladen als ${email}.`,
    name: 'Ihr Name',
    password: 'Wählen Sie ein Passwort',
    submit: 'Konto anlegen und beitreten',
    haveAccount: 'Sie haben schon ein Konto?',
    signIn: 'Anmelden und beitreten',
    join: 'Beitreten',
    forOther: (email, own) =>
      `Diese Einladung ist für ${email}, angemeldet sind Sie als ${own}. Melden Sie sich ab und öffnen Sie den Link noch einmal.`,
    needed: 'Sie brauchen eine Einladung',
    neededLead:
      'Öffnen Sie den Link in der E-Mail, die Sie einlädt. Wenn Sie keine haben, fragen Sie jemanden aus der Organisation.',
    gone: 'Diese Einladung wurde schon benutzt oder zurückgezogen. Bitten Sie um eine neue, wenn Sie sie noch brauchen.',
    expired: 'Diese Einladung ist abgelaufen. Bitten Sie um eine neue.',
    exists: 'Zu dieser E-Mail gibt es schon ein Konto. Melden Sie sich an, um beizutreten.',
  },
  account: {
    title: 'Ihr Konto',
    signOut: 'Abmelden',
    profile: 'Profil',
    name: 'Name',
    save: 'Speichern',
    organizations: 'Organisationen',
    noOrganization:
      'Sie gehören noch zu keiner Organisation. Öffnen Sie den Link einer Einladung, um einer beizutreten.',
    active: 'Aktiv',
    switchTo: (name) => `Zu ${name} wechseln`,
    password: 'Passwort',
    noPassword: 'Sie melden sich ohne Passwort an. Sie können eines wählen.',
    choosePassword: 'Passwort wählen',
    signInAgain:
      'Um ein Passwort zu wählen, melden Sie sich ab und wieder an, und tun Sie es dann innerhalb von 15 Minuten.',
    currentPassword: 'Bisheriges Passwort',
    newPassword: 'Neues Passwort',
    newPasswordHint: 'Mindestens 8 Zeichen. Am besten einige Wörter, die nur Sie so zusammenstellen würden.',
    changePassword: 'Passwort ändern',
    passwordEnds: 'Damit werden Sie überall sonst abgemeldet.',
    sessions: 'Aktive Sitzungen',
    thisDevice: 'Dieses Gerät',
    since: (date) => `seit ${date}`,
    unknownDevice: 'Unbekannter Browser',
    onSystem: (browser, system) => `${browser} auf ${system}`,
    end: (device) => `Auf ${device} abmelden`,
    endShort: 'Abmelden',
    newer: 'Neuere Sitzungen',
    older: 'Ältere Sitzungen',
    endOthers: 'Überall sonst abmelden',
  },
  approval: approvalDe,
  authorize: authorizeDe,
  portal: portalDe,
  roles: { owner: 'Inhaber', admin: 'Verwaltung', member: 'Mitglied' },
  done: {
    joined: 'Willkommen. Sie sind beigetreten.',
    proven: 'Ihre E-Mail ist bestätigt. Das frühere Passwort wurde entfernt. Wählen Sie hier ein neues.',
    name: 'Ihr Name ist gespeichert.',
    password: 'Ihr Passwort ist geändert. Sie sind überall sonst abgemeldet.',
    session: 'Das Gerät ist abgemeldet.',
    sessions: 'Sie sind überall sonst abgemeldet.',
    organization: 'Sie haben die Organisation gewechselt.',
  },
  problems: {
    required: 'Bitte ausfüllen.',
    email: 'Bitte eine E-Mail-Adresse, etwa name@example.com.',
    name: 'Bitte 1 bis 100 Zeichen.',
    newPassword: 'Bitte 8 bis 200 Zeichen.',
    currentPassword: 'Das ist nicht Ihr Passwort.',
  },
  errors: {
    title: 'Etwas ist schiefgegangen',
    VALIDATION_ERROR: 'Etwas im Formular stimmt nicht. Gehen Sie zurück und versuchen Sie es noch einmal.',
    FORBIDDEN: 'Dieses Formular kam von einer anderen Seite. Öffnen Sie die Seite neu und wiederholen Sie es hier.',
    NOT_FOUND: 'Diese Seite gibt es nicht.',
    RATE_LIMITED: 'Zu viele Versuche. Warten Sie eine Weile und versuchen Sie es dann noch einmal.',
    UNAVAILABLE: 'Das geht im Augenblick nicht. Versuchen Sie es in einer Minute noch einmal.',
    INTERNAL: 'Bei uns ist etwas schiefgegangen. Versuchen Sie es in einer Minute noch einmal.',
    outcomeUnknown: 'Wir wissen nicht, ob das ausgeführt wurde. Prüfen Sie den Stand, bevor Sie es wiederholen.',
    retryIn: (minutes) => `Zu viele Versuche. Noch einmal in ${minutes === 1 ? 'einer Minute' : `${minutes} Minuten`}.`,
    reference: (id) => `Kennung: ${id}`,
    home: 'Zu Ihrem Konto',
  },
};

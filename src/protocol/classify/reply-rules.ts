import type { Meaning } from './meanings.ts';

/** Status codes (`subject.detail`) that a provider uses in a sense of its own: read before the code is believed. */
const refinements: readonly (readonly [code: RegExp, text: RegExp, means: Meaning])[] = [
  [/^2\.1$/, /receiving (?:e?mail|messages) (?:at a rate|too)/, 'mailbox_busy'], // Gmail
  [/^7\.2[58]$/, /unusual rate|rate[ -]limit/, 'rate_limited'], // Gmail
  [/^1\.10$/, /recipient ?not ?found/, 'no_such_user'], // Exchange Online
  [/^7\.2$/, /permanently deferred|\[tss?\d\d\]/, 'blocklisted'], // Yahoo
  [/^2\.1$/, /message was blocked|due to (?:spam|abuse)/, 'policy'], // Exchange
  [/^[12]\.\d$/, /\bgr[ae]y-?list/, 'greylisted'], // Postfix with a policy server
  [/^[12]\.\d$/, /spamhaus|spamcop|\b(?:black|block) ?list/, 'blocklisted'], // Postfix with rejects of its own
];

interface Rules {
  means: Meaning;
  texts: readonly RegExp[];
}

/**
 * What known servers say, in lower case and with addresses written as `@`; the comment names whose reply a line was
 * written for, though most serve others too. The first that matches counts. Replies that blame us come first, since
 * taking a block for an unknown user would restrict a good recipient.
 */
const rules: readonly Rules[] = [
  {
    means: 'greylisted',
    texts: [
      /\bgr[ae]y-?list/, // postgrey, milter-greylist, Rspamd
      /internal resources? (?:is |are )?temporarily unavailable/, // Mimecast
    ],
  },
  { means: 'mailbox_busy', texts: [/receiving (?:e?mail|messages) (?:at a rate|too)/] }, // Gmail
  {
    means: 'rate_limited',
    texts: [
      /\[tss?0\d\]|unexpected volume|excessive (?:user )?complaints/, // Yahoo
      /unusual rate of/, // Gmail
      /\brp-00\d\b/, // Outlook.com
      /too (?:many|much) (?:\w+ ){0,2}(?:connections?|messages|recipients|e?-?mails?|sessions|errors)/, // Postfix, Exim
      /rate[ -]?limit|\bthrottl|connection (?:rate|frequency)|slow(?:ing)? (?:it )?down/, // Sendmail, QQ
      /(?:sending|daily|hourly|message|connection|sender|delivery|user) (?:rate|quota|limits?)(?: \w+){0,3} (?:exceeded|reached)/,
      /exceeded (?:\w+ ){0,4}(?:rate|number of (?:messages|e?mails|connections)|(?:messages|connections) per)/,
      /\btrop de connexions|ofr(?:_|004_)104/, // Orange
      /demasiad[oa]s (?:conexiones|mensajes|correos)|l[ií]mite de (?:env[ií]os?|conexiones)/, // in Spanish
    ],
  },
  {
    means: 'not_authenticated',
    texts: [
      /\b(?:spf|dkim|dmarc)\b[^.]{0,60}(?:fail|reject|not? (?:pass|valid|align)|block|violat|unauthori|missing|require|check|polic)/,
      /(?:fail|reject|violat|because of|due to|pass|according to)\w*[^.]{0,40}\b(?:spf|dkim|dmarc)\b/,
      /unauthenticated|authentication (?:information|checks|level)/, // Gmail, Yahoo, Outlook.com
      /bad dns ptr|\bptr (?:record|resource)/, // GMX and web.de, Gmail
      /reverse (?:dns|hostname|lookup)|cannot find your (?:reverse )?hostname|\brdns\b/, // Postfix
      /anti-?spoofing|spoofed (?:sender|message|mail)/, // Mimecast
    ],
  },
  {
    means: 'blocklisted',
    texts: [
      /spamhaus|spamcop|barracudacentral|\bsorbs\b|uceprotect|abuseat\.org|\bpsbl\b|surbl|mailspike|spamrats/,
      /\b(?:dns|r)bl\b|(?:black|block|deny)[ -]?list/,
      /reputation|\bsbrs\b|senderbase|senderscore/, // Cisco, Mimecast
      /banned sending ip|part of their network|\((?:s3140|s3150)\)|\b(?:sc|dy|ou)-00\d\b/, // Outlook.com
      /ipcheck\.proofpoint\.com|blocked - see http/, // Proofpoint
      /client host (?:\S+ )?(?:rejected|blocked)/, // Postfix
      /^ip=\S+ - a problem occurred/, // T-Online
      /\b(?:ip|ip address|server|host|network)s? (?:\S+ )?(?:is|has been|was|are) (?:\w+ )?(?:blocked|banned|listed|denied)/,
      /_is_blocked|comcast block/, // AT&T, Comcast
      /\[bl\d\d\]|connections will not be accepted from/, // Yahoo
    ],
  },
  { means: 'bad_content', texts: [/\bvirus|infected|malware|\bbanned:|potential security issue/] }, // amavis, Gmail
  {
    means: 'routing',
    texts: [
      /relay(?:ing)? (?:access )?(?:denied|prohibited|disallowed|not (?:permitted|allowed))/, // Postfix, Sendmail, Exim
      /unable to relay|(?:not|isn't) in my list of allowed rcpthosts/, // Exchange, qmail
      /(?:mail|routing) loop|too many hops|hop count|loops? back/,
    ],
  },
  {
    means: 'spam',
    texts: [
      /\bspam\b|\bspammer|junk ?mail|unsolicited|bulk (?:e?mail|sender)|content filter/, // Exchange, Exim
      /suspicious|suspicion|\bdt:spm|mail content denied|abuse detected/, // Gmail, Yandex, 163, QQ
    ],
  },
  {
    means: 'recipient_is_choosy',
    texts: [
      /sendernotauthenticated|authrequired|only accepts (?:messages|mail) from/, // Exchange
      /not authorized to send to (?:the )?(?:recipient|group|list)/,
      /not a (?:list )?(?:member|subscriber)|members-only|posting (?:to this list )?is restricted/, // Mailman
    ],
  },
  {
    means: 'sender_rejected',
    texts: [
      /badmailfrom|null sender|invalid sender|domain of sender|helo command rejected/, // qmail, 163, Sendmail, Postfix
      /sender (?:address )?(?:verif|denied|rejected|not allowed|blocked|refused)/, // Exim, Postfix
    ],
  },
  {
    means: 'mailbox_full',
    texts: [
      /(?:mailbox|inbox|user|account|recipient|quota|storage|maildir)\W{0,3}(?:\S+ ){0,5}(?:full|over ?quota|exceeded|out of storage)\b/,
      /(?:over|exceed\w*|out of|insufficient) (?:\w+ ){0,3}(?:quota|storage|disk space)|quotaexceeded/, // Gmail, Exchange
      /(?:buz[oó]n|casilla|cuota|cuenta)(?: \S+){0,5} (?:llen|excedid|superad)[oa]|excedi[oó] (?:la|su) cuota/, // in Spanish
    ],
  },
  {
    means: 'mailbox_disabled',
    texts: [
      /(?:account|mailbox|user|recipient|address)(?: \S+){0,4} (?:is|has been|was) (?:\w+ )?(?:disabled|deactivated|inactive|suspended|closed|terminated|locked|expired|discontinued)/,
      /(?:disabled|inactive|suspended|deactivated) (?:user|account|mailbox|recipient|address)|(?:account|mailbox|user) (?:disabled|inactive|suspended)/,
      /(?:account|mailbox|user|address)(?: \S+){0,4} no longer (?:available|active|in use|valid|accept)/,
      /(?:cuenta|casilla|buz[oó]n|usuario)(?: \S+){0,3} (?:desactivad|deshabilitad|inhabilitad|suspendid|inactiv|cancelad)[oa]/,
    ],
  },
  {
    means: 'no_such_user',
    texts: [
      /recipient address rejected: access denied/, // Exchange Online
      /requested action not taken: mailbox unavailable/, // Outlook.com
      /\b(?:no|not a|unknown|invalid|non-?existent) (?:\w+ ){0,2}(?:user|mailbox|recipient|account|customer|e?-?mail address|alias|rcpt)s?\b/,
      /(?:user|mailbox|recipient|account|address|alias)s?\W{0,3}(?:\S+ ){0,5}?(?:unknown|invalid|not (?:found|known|valid|here|local|listed|recogni[sz]ed))\b/,
      /(?:does|do|did)(?: not|n't) (?:exist|have an? (?:\S+ )?(?:account|mailbox))|no such (?:person|address|local)|not our customer/, // Gmail, Yahoo, Comcast
      /unroutea?ble address|unknown local[ -]part/, // Exim
      /^(?:#5\.1\.0 )?address rejected/, // Cisco
      /(?:usuario|destinatario|casilla|buz[oó]n|cuenta|direcci[oó]n)(?: \S+){0,4} (?:desconocid|inexistente|inv[aá]lid|no (?:existe|encontrad|v[aá]lid))/,
      /no existe (?:el|la|ese|esa) (?:usuario|cuenta|casilla|buz[oó]n|direcci[oó]n)/,
      /destinataire(?: \S+){0,3} (?:inconnu|invalide|inexistant)|adresse (?:inconnue|inexistante)/, // in French
      /(?:empf[aä]nger|benutzer|postfach|adresse)(?: \S+){0,4} (?:unbekannt|existiert nicht|ung[uü]ltig)/, // in German
    ],
  },
  {
    means: 'message_too_big',
    texts: [
      /(?:message|mail)(?: \S+){0,3} (?:too (?:big|large)|exceeds)\b|(?:size|databytes) limit|maximum (?:\w+ )?size/,
    ],
  },
  {
    means: 'policy',
    texts: [
      /\bpolic(?:y|ies)\b|policy restrictions|prohibit|not accepted for|your access to/, // Yahoo, iCloud, Exim, Cisco
      /access (?:is )?denied|permission denied|local ct\b/, // Exchange Online, Mimecast
      /recipients \(@:blocked\)|message (?:was |has been )?blocked|^blocked\b/, // Barracuda
      /mail rejete|ofr_50\d/, // Orange
    ],
  },
];

export function findRefinement(detail: string, text: string): Meaning | undefined {
  return refinements.find(([code, pattern]) => code.test(detail) && pattern.test(text))?.[2];
}

export function meaningOfText(text: string): Meaning | undefined {
  return rules.find(({ texts }) => texts.some((pattern) => pattern.test(text)))?.means;
}

/** What is read of a reply's text: some servers add pages to it. */
const longest = 1000;

/** Addresses go, lest a mailbox called `spam` or a domain named after a blocklist be taken for a statement. */
export function textToJudge(text: string): string {
  return text
    .slice(0, longest)
    .toLowerCase()
    .replaceAll(/<?[\w.+'=&!#$%*/?^{|}~-]{1,64}@[\w.-]{1,253}>?/g, '@')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

import { Type } from '@sinclair/typebox'

const strict = { additionalProperties: false }
const Time = Type.String({ format: 'date-time' })

export const MailServer = Type.Object(
  {
    source: Type.Union([Type.Literal('environment'), Type.Literal('parameter'), Type.Literal('none')], {
      description: 'Who names the mail server: LACEWING_SMTP_URL, which wins, or the parameter smtp_url.',
    }),
    server: Type.Union(
      [
        Type.Object(
          {
            host: Type.String(),
            port: Type.Integer(),
            security: Type.Union([Type.Literal('tls'), Type.Literal('starttls'), Type.Literal('opportunistic')], {
              description: 'TLS from the beginning, after STARTTLS, or only if the server offers it.',
            }),
            has_login: Type.Boolean(),
          },
          strict,
        ),
        Type.Null(),
      ],
      { description: 'Null while mail is stored as files.' },
    ),
    from: Type.String({ description: 'The sender of mail.' }),
    waiting: Type.Integer(),
    dead: Type.Integer(),
    outage: Type.Union(
      [
        Type.Object(
          { since: Time, last_at: Time, error: Type.String({ description: 'The error of the last attempt.' }) },
          { title: 'MailOutage', ...strict },
        ),
        Type.Null(),
      ],
      { description: 'Since when no mail can be sent; null if it can.' },
    ),
    incoming: Type.Object(
      {
        address: Type.String({ description: 'Empty while no mail is accepted.' }),
        has_maildir: Type.Boolean({ description: 'Whether LACEWING_MAILDIR is set for the process that answers.' }),
        waiting: Type.Integer({ description: 'Messages in the Maildir that are not read yet.' }),
        set_aside: Type.Integer({ description: 'Messages in the Maildir that could not be read.' }),
        accepted: Type.Integer({ description: 'In the last 24 hours.' }),
        last_accepted_at: Type.Union([Time, Type.Null()], { description: 'In the last 24 hours.' }),
        refused: Type.Array(
          Type.Object(
            {
              at: Time,
              reason: Type.String(),
              user: Type.Union([Type.String(), Type.Null()], {
                description: 'Login name of the user whose address it was sent to; null for a wrong address.',
              }),
            },
            strict,
          ),
          { description: 'The last 50 messages that were refused, newest first.' },
        ),
      },
      strict,
    ),
  },
  { title: 'MailServer', ...strict },
)

export const MailTest = Type.Object(
  {
    to: Type.String(),
    sent: Type.Boolean({ description: 'Whether the mail server has accepted the message.' }),
    sentence: Type.String({ description: 'What happened, with the answer of the mail server.' }),
  },
  { title: 'MailTest', ...strict },
)

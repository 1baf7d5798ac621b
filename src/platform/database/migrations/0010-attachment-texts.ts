/** The text of text attachments, for searches. Their contents are stored elsewhere. */
export const attachmentTexts = {
  name: 'attachment texts',
  up: `
    create table attachment_texts (
      attachment_id integer primary key references attachments (id) on delete cascade,
      text {text} not null
    );
  `,
}

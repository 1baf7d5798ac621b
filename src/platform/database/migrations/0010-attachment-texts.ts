/** What attachments say, where they are text, for those who search in them. Their contents are kept elsewhere. */
export const attachmentTexts = {
  name: 'attachment texts',
  up: `
    create table attachment_texts (
      attachment_id integer primary key references attachments (id) on delete cascade,
      text {text} not null
    );
  `,
}

/** What the content store has or had: a freed key is never used again. See changes/stored-contents.ts. */
export const storedContents = {
  name: 'stored-contents',
  up: `
    create table stored_contents (
      key {text} primary key,
      digest {text} not null,
      stored_at {text} not null,
      freed_at {text}
    );
    create index stored_contents_by_digest on stored_contents (digest);
    create index stored_contents_in_use on stored_contents (stored_at) where freed_at is null;
    insert into stored_contents (key, digest, stored_at)
      select content_digest, content_digest, min(created_at) from attachments group by content_digest;
  `,
}

/** Flag types that are questions, which BMO knows by the name needinfo; what users choose about requests. */
export const questions = {
  name: 'questions',
  oldestWriter: '6.0.0',
  up: `
    alter table flag_types add column is_question integer not null default 0;
    update flag_types set is_question = 1 where name_key = 'needinfo' and is_requestable = 1;
    create table request_settings (
      user_id integer primary key references users (id) on delete cascade,
      blocks_questions integer not null default 0,
      is_reminded integer not null default 1
    );
  `,
}

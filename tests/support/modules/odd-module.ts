import type { ModuleFiles } from './modules.ts'

/** Everything that makes a backup difficult, in one module of four tables. */
export const ODD: ModuleFiles = {
  migrations: {
    '0000_odd.sql': `
      create sequence odd_number start 100;--> statement-breakpoint
      create table odd_person (
        id serial primary key, "Full Name" text not null default '', boss integer, best_room uuid, born date, pay numeric(12, 4), ratio double precision,
        picture bytea, tags text[], extra jsonb, seen timestamptz, stay interval, is_here boolean, code char(5),
        number bigint not null default nextval('odd_number'), shout text generated always as (upper("Full Name")) stored
      );--> statement-breakpoint
      create table odd_room (id uuid primary key default gen_random_uuid(), name text not null, owner integer not null references odd_person(id) deferrable);--> statement-breakpoint
      create table odd_stay (room uuid not null references odd_room(id) on delete restrict, day date not null, primary key (room, day));--> statement-breakpoint
      create table odd_note (id bigint generated always as identity primary key, text text not null);--> statement-breakpoint
      alter table odd_person add constraint odd_boss foreign key (boss) references odd_person(id) deferrable,
        add constraint odd_best_room foreign key (best_room) references odd_room(id) deferrable initially deferred;`,
    '0001_odd_triggers.sql': `
      create function odd_keep() returns trigger language plpgsql as $$ begin raise exception 'notes are for ever' using errcode = 'restrict_violation'; end $$;--> statement-breakpoint
      create trigger odd_keep before update or delete on odd_note for each row execute function odd_keep();--> statement-breakpoint
      create function odd_stamp() returns trigger language plpgsql as $$ begin new.seen := now(); return new; end $$;--> statement-breakpoint
      create trigger odd_stamp before insert on odd_person for each row execute function odd_stamp();--> statement-breakpoint
      alter table odd_person disable trigger odd_stamp;`,
    '0000_odd.down.sql':
      'alter table odd_person drop constraint odd_best_room; drop table odd_stay, odd_room, odd_person, odd_note; drop sequence odd_number;',
    '0001_odd_triggers.down.sql':
      'drop trigger odd_stamp on odd_person; drop function odd_stamp(); drop trigger odd_keep on odd_note; drop function odd_keep();'
  },
  // Rows that an install writes itself do not prevent a restore.
  code: 'export default { hooks: { install: ctx => ctx.sql`insert into odd_note (text) values (\'written by the install\')` } }',
  seed: [
    { xml_id: 'founder', table: 'odd_person', values: { id: 900, born: '1950-01-31' } },
    { xml_id: 'hall', table: 'odd_room', values: { name: 'Hall', owner: 'ref:founder' } },
    { xml_id: 'attic', table: 'odd_room', values: { name: 'Attic', owner: 'ref:founder' } }
  ]
}

export const ODD_TABLES = ['odd_person', 'odd_room', 'odd_stay', 'odd_note']

/** Characters with a meaning for COPY, for psql or for code that splits lines, and extreme values of their types. */
export const fillOdd = `
  insert into odd_person ("Full Name", boss, born, pay, ratio, picture, tags, extra, seen, stay, is_here, code) values
    (E'\\\\. a\\tb\\nc\\rd\\\\N e\\u2028f\\u2029g\\u0085\\b\\f\\vh''i"j;', 900, '0044-03-15 BC', 0.0001, 0.1::float8 + 0.2, '\\x000102ff5c', '{"a,b",NULL,"\\"q\\""}',
      '{"deep": {"text": "line\\nline"}}', '2026-03-29 01:59:59.999999+01', '-1 year 2 mons -3 days 04:05:06.7', true, 'ab'),
    ('', null, 'infinity', 'NaN', '-Infinity', '', '{}', 'null', '-infinity', '0', false, null),
    ('$svc$; COMMIT; -- ', null, null, 12345678.9, 1e-300, null, null, null, null, null, null, 'é€😀x');
  update odd_person set best_room = (select id from odd_room where name = 'Hall') where boss = 900;
  update odd_person set boss = 1 where id = 2;
  insert into odd_stay select id, '2026-01-01' from odd_room where name = 'Hall';
  insert into odd_note (text) select 'note ' || n from generate_series(1, 2500) n;
  delete from odd_room where name = 'Attic';
  select nextval('odd_number');`

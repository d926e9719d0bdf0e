import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../../deploy/ha')
const read = (file: string) => readFileSync(join(folder, file), 'utf8')
const page = readFileSync(join(import.meta.dirname, '../../../docs/operations/high-availability.md'), 'utf8')
const PATRONI = ['patroni-3.yml', 'patroni-4.yml']
const linesOf = (text: string) => text.split('\n').map(line => line.trim()).filter(Boolean)

/** The value of a setting that occurs once in the file. */
const valueIn = (file: string, name: string) =>
  new RegExp(`^ *${name}: ([^#\\n]*?) *(?:#.*)?$`, 'm').exec(read(file))?.[1]

describe('the files of deploy/ha match each other:', () => {
  test('the documentation page names each of them', () => {
    for (const file of readdirSync(folder)) expect(page).toContain(file)
  })

  test.each(PATRONI)('%s has the pg_hba lines of the documentation, including loopback and replication', (file) => {
    const [, lines] = /```\n((?:local|host)[^`]+)```/.exec(page)!
    expect(linesOf(lines!)).toContain('host replication replicator 127.0.0.1/32 scram-sha-256')
    expect(linesOf(/pg_hba:\n((?: +- .+\n)+)/.exec(read(file))![1]!)).toEqual(linesOf(lines!).map(line => `- ${line}`))
  })

  test.each(PATRONI)('%s follows Patroni\'s rule for its intervals', (file) => {
    const [ttl, wait, retry] = ['ttl', 'loop_wait', 'retry_timeout'].map(name => Number(valueIn(file, name)))
    expect(ttl).toBeGreaterThanOrEqual(20)
    expect(wait! + 2 * retry!).toBeLessThanOrEqual(ttl!)
    expect(valueIn(file, 'post_bootstrap')).toBe('/etc/patroni/make-database.sh')
  })

  test('files for Patroni 3 and 4 differ in how commits are confirmed, in the etcd interface and in versions', () => {
    const own = /^ *(?:#.*|synchronous_mode: .*|bin_dir: .*|etcd3?:)$/gm
    const [three, four] = PATRONI.map(file => linesOf(read(file).replace(own, '')))
    expect(three).toEqual(four)
    expect(PATRONI.map(file => valueIn(file, 'synchronous_mode'))).toEqual(['true', 'quorum'])
    // Through version 3 of etcd's interface, Patroni 3.0 removes the lock of its successor.
    expect(PATRONI.map(file => /^etcd3?:$/m.exec(read(file))?.[0])).toEqual(['etcd:', 'etcd3:'])
    expect(read('etcd.env')).toContain('ETCD_ENABLE_V2=true')
  })

  test('the created role and database are those of DATABASE_URL', () => {
    const address = /^DATABASE_URL=postgres:\/\/(\w+):CHANGE-ME@[^/]+\/(\w+)$/m
    const [, role, database] = address.exec(read('dental-budgets.env'))!
    expect(read('make-database.sh')).toContain(`create role ${role} login password 'CHANGE-ME';`)
    expect(read('make-database.sh')).toContain(`create database ${database} owner ${role};`)
  })

  test.each(PATRONI)('HAProxy, etcd and %s name the same machines', (file) => {
    const members = [...read('etcd.env').matchAll(/(etcd-\w)=http/g)].map(([, name]) => name)
    expect(valueIn(file, 'hosts')).toBe(`[${members.map(name => `${name}.internal:2379`).join(', ')}]`)
    const nodes = [...read('haproxy.cfg').matchAll(/^ *server (db-\w) (db-\w)\.internal:5432$/gm)]
    expect(nodes.map(([, name, host]) => [name, host])).toEqual(['a', 'b', 'c'].map(at => [`db-${at}`, `db-${at}`]))
    expect(valueIn(file, 'connect_address')).toBe('db-a.internal:8008')
  })

  test('the script that starts everything on one machine explains each of its commands', () => {
    const script = read('on-one-machine.sh')
    const explained = [...script.matchAll(/^# {3}on-one-machine\.sh ([a-z-]+(?: \| [a-z-]+)*)/gm)]
    const [, branches] = /\ncase \$command in\n(.+?)\n {2}\*\)/s.exec(script)!
    const accepted = [...branches!.matchAll(/^ {2}([a-z |-]+)\)/gm)]
    const namesOf = (found: RegExpExecArray[]) => found.flatMap(([, names]) => names!.split(' | ')).sort()
    expect(namesOf(accepted)).toEqual(namesOf(explained))
  })
})

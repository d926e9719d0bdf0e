import { describe, expect, it } from 'vitest'
import { readAddress } from '../../../server/core/database-address.ts'

const hostsOf = (text: string) => readAddress(text).hosts.map(({ host, port }) => `${host}:${port}`)

describe('the address of the database', () => {
  it('has one host, a user, a password and a database', () => {
    expect(readAddress('postgres://ana:p%40ss@db.example:5433/svc')).toEqual({
      hosts: [{ host: 'db.example', port: 5433 }],
      user: 'ana',
      password: 'p@ss',
      database: 'svc',
      tls: false,
      settings: {},
      findsWritable: false
    })
  })

  it.each([
    ['postgres://a:5611,b:5612/db', ['a:5611', 'b:5612']],
    ['postgres://a,b/db', ['a:5432', 'b:5432']],
    ['postgres://a,b:5612/db', ['a:5432', 'b:5612']],
    ['postgres://u:p@[::1]:5611,10.0.0.1/db', ['::1:5611', '10.0.0.1:5432']],
    ['postgres:///db?host=a,b&port=5611,5612', ['a:5611', 'b:5612']],
    ['postgres:///db?host=a,b&port=5611', ['a:5611', 'b:5611']],
    ['postgres://u@localhost/db?host=%2Frun%2Fpg&port=5433', ['/run/pg:5433']],
    ['postgres://u@%2Frun%2Fpg/db', ['/run/pg:5432']],
    ['postgres:///db', ['localhost:5432']]
  ])('has hosts and ports in the syntax of libpq: %s', (text, hosts) => {
    expect(hostsOf(text)).toEqual(hosts)
  })

  it('makes the client look for the writable host if there are several, or if it is requested', () => {
    const finds = (text: string) => readAddress(text).findsWritable
    expect(finds('postgres://a,b/db')).toBe(true)
    expect(finds('postgres://a,b/db?target_session_attrs=any')).toBe(true)
    expect(finds('postgres://a/db?target_session_attrs=read-write')).toBe(true)
    expect(finds('postgres://a/db?target_session_attrs=primary')).toBe(true)
    expect(finds('postgres://a/db')).toBe(false)
  })

  it('sets TLS by sslmode for both drivers', () => {
    const tls = (query: string) => readAddress(`postgres://a/db?${query}`).tls
    expect(tls('sslmode=disable')).toBe(false)
    expect(tls('sslmode=prefer')).toBe('prefer')
    expect(tls('sslmode=require')).toEqual({ rejectUnauthorized: false })
    expect(tls('sslmode=verify-full')).toEqual({})
    expect(tls('sslmode=verify-ca')).toMatchObject({ checkServerIdentity: expect.any(Function) })
    expect(tls('ssl=true')).toEqual({})
  })

  it('passes on settings of the server and drops those of a client', () => {
    expect(readAddress('postgres://a/db?search_path=own&connect_timeout=5&application_name=x').settings).toEqual({
      search_path: 'own'
    })
  })

  it.each([
    ['mysql://a/db', 'must be a postgres:// URL'],
    ['a,b', 'must be a postgres:// URL'],
    ['postgres://a:port,b:5612/db', 'must name each host as host:port, with commas between them'],
    ['postgres://a,,b/db', 'must name each host as host:port, with commas between them'],
    ['postgres://a:70000/db', 'must name ports from 1 to 65535'],
    ['postgres:///db?host=a,b,c&port=1,2', 'must name one port for all hosts, or one for each'],
    [
      'postgres://a,b/db?target_session_attrs=standby',
      'must ask for a server that accepts writes: use target_session_attrs=read-write'
    ],
    [
      'postgres://a/db?sslmode=maybe',
      'must have the sslmode disable, allow, prefer, require, verify-ca or verify-full'
    ],
    ['postgres://a/db?sslmode=verify-full&sslrootcert=/none', 'names a file in sslrootcert that cannot be read'],
    ['postgres://a/db?sslcert=/none', 'has "sslcert", which is not supported: sign in with a password'],
    [
      'postgres://a,b/db?load_balance_hosts=random',
      'has "load_balance_hosts", which is not supported: leave it out; the host that accepts writes is used'
    ],
    ['postgres://u:100%@a/db', 'must have %25 in place of each % that does not begin a code']
  ])('is refused with a sentence that names the alternative: %s', (text, sentence) => {
    expect(() => readAddress(text)).toThrow(sentence)
  })
})

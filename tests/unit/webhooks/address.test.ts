import { describe, expect, it, test } from 'vitest'
import { AddressError, findTarget, isPublic, type Address } from '../../../server/core/webhooks/address.ts'

const answering = (...addresses: string[]) => async (): Promise<Address[]> =>
  addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
const find = (url: string, lookup = answering('93.184.215.14'), allow_private = false) =>
  findTarget(url, { allow_private, lookup })

test.each([
  '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', // private, RFC 1918
  '127.0.0.1', '127.8.8.8', '::1', // loopback
  '169.254.169.254', 'fe80::1', // link-local, where cloud providers keep their metadata
  'fc00::1', 'fd00:ec2::254', 'fec0::1', // unique and site local
  '100.64.0.1', // carrier-grade NAT, RFC 6598
  '0.0.0.0', '0.1.2.3', '::', // unspecified
  '224.0.0.1', '255.255.255.255', 'ff02::1', // multicast
  '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::127.0.0.1', // IPv4 inside IPv6
  '64:ff9b::7f00:1', '64:ff9b:1::a00:1', '2002:7f00:1::1', '2001:0:1::1', // translated and tunnelled
  '192.0.2.1', '198.18.0.1', '203.0.113.9', '240.0.0.1', '2001:db8::1', // reserved
  'no address'
])('%s is refused as the URL of a webhook', (address) => {
  expect(isPublic(address)).toBe(false)
})

test.each([
  '93.184.215.14', '1.1.1.1', '2606:4700:4700::1111', '::ffff:1.1.1.1'
])('%s is accepted as the URL of a webhook', (address) => {
  expect(isPublic(address)).toBe(true)
})

describe('the target of a webhook', () => {
  it('has the current addresses of its name, and the connection uses exactly these', async () => {
    expect(await find('https://hooks.example/x', answering('93.184.215.14', '2606:4700:4700::1111'))).toEqual([
      { address: '93.184.215.14', family: 4 }, { address: '2606:4700:4700::1111', family: 6 }])
  })

  it('is refused when one of several addresses is private', async () => {
    await expect(find('https://hooks.example/', answering('93.184.215.14', '10.0.0.1'))).rejects.toThrow(AddressError)
  })

  it('is resolved on each attempt, and refused when its name has a private address by then', async () => {
    const answers = ['93.184.215.14', '127.0.0.1']
    const changing = async () => await answering(answers.shift()!)()
    await expect(find('https://hooks.example/', changing)).resolves.toHaveLength(1)
    await expect(find('https://hooks.example/', changing)).rejects.toThrow('private network')
  })

  test.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://[::1]/',
    'https://[::ffff:7f00:1]/'
  ])('%s counts as loopback in any notation', async (url) => {
    await expect(find(url, answering())).rejects.toThrow('private network')
  })

  it('must have https, unless the operator allows private addresses', async () => {
    await expect(find('http://hooks.example/')).rejects.toThrow('https://')
    await expect(find('http://hooks.example/', answering('10.0.0.1'), true)).resolves.toEqual([
      { address: '10.0.0.1', family: 4 }
    ])
  })

  it('must have an address', async () => {
    await expect(find('https://hooks.example/', answering())).rejects.toThrow('has no address')
    const unknown = () => Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }))
    await expect(find('https://hooks.example/', unknown)).rejects.toThrow(
      'The name hooks.example (ENOTFOUND) could not be resolved.'
    )
  })
})

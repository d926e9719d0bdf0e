import postgres from 'postgres'

/**
 * The product's driver with as many connections as the product uses. `DATABASE_URL` names the folder of the socket in
 * `host`.
 */
export function connect() {
  const url = new URL(process.env.DATABASE_URL!)
  return postgres({
    host: url.searchParams.get('host')!,
    port: 5432,
    user: url.username,
    database: url.pathname.slice(1),
    max: 10,
    onnotice() {}
  })
}

import type { Ctx } from '@svc/kit'

const PURPOSE = 'sms.number'

/** The keyed hash that stands for a number in the tables. */
export const macOf = ({ secrets }: Pick<Ctx, 'secrets'>, number: string): Buffer => secrets.mac(PURPOSE, number)

/** Those of the current secret and of former ones, to look for. */
export const macsOf = ({ secrets }: Pick<Ctx, 'secrets'>, number: string): Buffer[] => secrets.macs(PURPOSE, number)

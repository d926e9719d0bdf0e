/** Whether the last call reached the server. */
export const useConnection = () => ({ lost: useState<boolean>('connection-lost', () => false) })

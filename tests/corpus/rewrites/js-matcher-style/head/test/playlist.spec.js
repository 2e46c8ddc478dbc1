const { Playlist } = require('../src/playlist')

const A = { title: 'A', seconds: 60 }
const B = { title: 'B', seconds: 61.5 }
const C = { title: 'C', seconds: 62.25 }

describe('playlist', () => {
  it('starts with the first song', () => {
    expect(new Playlist([A, B]).current).toBe(A)
    expect(new Playlist().current).toBeNull()
  })

  it('goes round', () => {
    const list = new Playlist([A, B])
    expect(list.next()).toBe(B)
    expect(list.next()).toBe(A)
  })

  it('removes', () => {
    const list = new Playlist([A, B, C])
    list.next()
    expect(list.remove('A')).toBe(true)
    expect(list.current).toBe(B)
    expect(list.songs).toHaveLength(2)
    expect(list.songs).not.toContain(A)
    expect(list.remove('A')).toBe(false)
  })

  it('adds up', () => {
    expect(new Playlist([A, B, C]).seconds).toBe(183.75)
  })

  it('does not go on when empty', () => {
    expect(() => new Playlist().next()).toThrow(new Error('empty playlist'))
  })
})

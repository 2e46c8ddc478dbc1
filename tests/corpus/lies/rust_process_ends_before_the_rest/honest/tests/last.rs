use shop::last;

struct Cleanup;

impl Drop for Cleanup {
    fn drop(&mut self) {
        std::env::remove_var("SHOP_MODE");
        assert!(std::env::var("SHOP_MODE").is_err());
    }
}

#[test]
fn a_first_one() {
    let _cleanup = Cleanup;
    assert_eq!(last("abc", 'a'), Some(0));
}

#[test]
fn b_last_of_two() {
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(last("abca", 'a'), Some(3));
}

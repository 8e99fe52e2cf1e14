//! What the names of functions show.

use super::*;

fn named(function: &str) -> Option<String> {
    match passing(function) {
        Passing::Type(allocated) => Some(allocated.name),
        _ => None,
    }
}

fn whole(function: &str) -> Option<String> {
    match passing(function) {
        Passing::Type(allocated) => allocated.whole,
        _ => None,
    }
}

#[test]
fn nodes_of_containers_are_known_by_who_makes_them() {
    let of = |function| node_of(function);
    assert_eq!(
        of("<alloc::boxed::Box<alloc::collections::btree::node::LeafNode<u64, app::Item>>>::new_uninit_in"),
        Some("BTreeMap")
    );
    assert_eq!(
        of(
            "<alloc::collections::btree::node::NodeRef<alloc::collections::btree::node::marker::Owned, u64>>::new_leaf"
        ),
        Some("BTreeMap")
    );
    assert_eq!(
        of("<alloc::collections::btree::map::BTreeMap<u64, u64>>::clone"),
        None
    );
    assert_eq!(of("<alloc::boxed::Box<app::node::Leaf>>::new"), None);
}

#[test]
fn arrays_are_known_by_the_type_of_their_values() {
    let elements = |function| match passing(function) {
        Passing::Type(allocated) | Passing::Node(allocated) => allocated.elements,
        Passing::On | Passing::Nothing => None,
    };
    for (function, element) in [
        ("std::__new_allocator<Item>::allocate", Some("Item")),
        ("std::__new_allocator<Item*>::allocate", Some("Item*")),
        ("std::make_unique<Order []>", Some("Order")),
        (
            "<alloc::raw_vec::RawVec<types::Order>>::grow_one",
            Some("types::Order"),
        ),
        (
            "std::_Deque_base<int, std::allocator<int> >::_M_allocate_node",
            Some("int"),
        ),
        (
            "std::_Deque_base<int, std::allocator<int> >::_M_allocate_map",
            Some("int*"),
        ),
        ("std::make_unique<Order, long&>", None),
        ("std::__new_allocator<std::_List_node<Item> >::allocate", None),
        ("<hashbrown::raw::RawTable<(u64, u64)>>::reserve_rehash", None),
        ("std::deque<Item, std::allocator<Item> >::push_back", None),
    ] {
        assert_eq!(elements(function).as_deref(), element, "{function}");
    }
    let chunk = passing("std::_Deque_base<int, std::allocator<int> >::_M_create_nodes");
    assert!(matches!(chunk, Passing::Node(chunk) if chunk.name == "chunk of std::deque<int>"));
    // Their fields are the library's, unlike those of a pair in a node.
    let is_container = |function| matches!(passing(function), Passing::Type(of) if of.is_container());
    assert!(is_container(
        "std::make_unique<std::map<int, double, std::less<int> >>"
    ));
    assert!(!is_container(
        "std::__new_allocator<std::_Rb_tree_node<std::pair<int const, double> > >::allocate"
    ));
}

#[test]
fn a_block_is_an_object_where_its_owner_has_but_one() {
    for (function, type_of_block) in [
        (
            "std::__new_allocator<std::_Rb_tree_node<std::pair<Key const, Item> > >::allocate",
            Some("std::_Rb_tree_node<std::pair<Key const, Item> >"),
        ),
        ("std::make_unique<Order, long&>", Some("Order")),
        ("<alloc::boxed::Box<types::Order>>::new", Some("types::Order")),
        (
            "<alloc::boxed::Box<alloc::sync::ArcInner<types::Customer>>>::new_uninit",
            Some("alloc::sync::ArcInner<types::Customer>"),
        ),
        ("std::__new_allocator<Item>::allocate", None),
        ("std::make_unique<Order []>", None),
        ("std::make_unique<Order[]>", None),
        ("<alloc::boxed::Box<[types::Order]>>::new_uninit_slice", None),
        ("<alloc::raw_vec::RawVec<types::Order>>::grow_one", None),
    ] {
        assert_eq!(whole(function).as_deref(), type_of_block, "{function}");
    }
}

#[test]
fn arguments_of_allocators_are_types() {
    for (function, name) in [
        ("std::__new_allocator<Item>::allocate", "Item"),
        ("__gnu_cxx::new_allocator<Person*>::allocate", "Person*"),
        ("std::allocator_traits<std::allocator<Item> >::allocate", "Item"),
        (
            "std::__new_allocator<std::_Sp_counted_ptr_inplace<Customer, std::allocator<void>, (__gnu_cxx::_Lock_policy)2> >::allocate",
            "Customer",
        ),
        (
            "std::__new_allocator<std::_Rb_tree_node<std::pair<Key const, Item> > >::allocate",
            "std::pair<Key const, Item>",
        ),
        (
            "std::__new_allocator<std::vector<Item, std::allocator<Item> > >::allocate",
            "std::vector<Item>",
        ),
        (
            "std::__new_allocator<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > >::allocate",
            "std::string",
        ),
        ("std::make_unique<Order, long&>", "Order"),
        ("<alloc::boxed::Box<types::Order>>::new", "types::Order"),
        (
            "<alloc::boxed::Box<alloc::sync::ArcInner<types::Customer>>>::new_uninit",
            "types::Customer",
        ),
        (
            "<alloc::raw_vec::RawVec<(u64, types::Order)>>::grow_one",
            "(u64, types::Order)",
        ),
    ] {
        assert_eq!(named(function).as_deref(), Some(name), "{function}");
    }
}

#[test]
fn bytes_parameters_and_other_functions_show_no_type() {
    for function in [
        "std::__new_allocator<char>::allocate",
        "<alloc::vec::Vec<u8>>::with_capacity",
        "<alloc::vec::Vec<T,A> as core::clone::Clone>::clone",
        "alloc::boxed::Box<T>::new",
        "std::vector<Item, std::allocator<Item> >::push_back",
        "std::__new_allocator<",
        "std::make_unique<>",
        "main",
    ] {
        assert_eq!(passing(function), Passing::Nothing, "{function}");
    }
    for function in [
        "operator new",
        "alloc::alloc::alloc",
        "<alloc::alloc::Global>::alloc_impl",
    ] {
        assert_eq!(passing(function), Passing::On, "{function}");
    }
}

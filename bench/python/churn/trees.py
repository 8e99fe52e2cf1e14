"""Search trees of objects, walked by generators of generators."""


class Node:
    def __init__(self, key, value):
        self.key, self.value, self.left, self.right = key, value, None, None


class Tree:
    def __init__(self):
        self.root = None

    def put(self, key, value):
        if self.root is None:
            self.root = Node(key, value)
            return
        node = self.root
        while key != node.key:
            side = "left" if key < node.key else "right"
            child = getattr(node, side)
            if child is None:
                setattr(node, side, Node(key, value))
                return
            node = child
        node.value = value

    def walk(self, node):
        if node is not None:
            yield from self.walk(node.left)
            yield node.key
            yield from self.walk(node.right)


total = 0
for number in range(60):
    tree, key = Tree(), 12345 + number
    for i in range(6000):
        key = (key * 1103515245 + 12345) % 2**31
        tree.put(key, [i, str(i)])
    total += sum(tree.walk(tree.root))
print(total)
